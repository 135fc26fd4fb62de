"""Parquet files of rows with texts in hexadecimal digits, one row of JSON a line.

python3 tables.py write FILE [string|binary] < ROWS
python3 tables.py read FILE > ROWS
"""

import json
import sys

import pyarrow
from pyarrow import parquet

NAMES = ["name", "note"]


def write(file, kind):
    rows = [json.loads(line) for line in sys.stdin]
    columns = {"id": [row["id"] for row in rows]}
    for name in NAMES:
        values = [None if row[name] is None else bytes.fromhex(row[name]) for row in rows]
        column = pyarrow.array(values, pyarrow.binary())
        # A view is not checked.
        columns[name] = column.view(pyarrow.string()) if kind == "string" else column
    parquet.write_table(pyarrow.table(columns), file)


def read(file):
    table = parquet.read_table(file)
    table.validate(full=True)
    for name in NAMES:
        kind = table.schema.field(name).type
        assert pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind), kind
    for row in table.select(["id", *NAMES]).to_pylist():
        for name in NAMES:
            row[name] = None if row[name] is None else row[name].encode().hex()
        print(json.dumps(row, separators=(",", ":")))


if __name__ == "__main__":
    _, action, *words = sys.argv
    {"write": write, "read": read}[action](*words)
