"""A table in Parquet whose texts are partly CESU-8: users.py write|read PATH"""

import json
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

what, path = sys.argv[1:]
if what == "write":
    os.mkdir(path)
    names = pa.array([b"a\xed\xa0\xbd\xed\xb8\x80", b""])
    # As Spark writes what it reads as STRING: the type promises UTF-8, and nothing checks it.
    table = pa.table({"id": [1, 2], "name": names.view(pa.string()), "note": pa.array([b"line\nfeed", None])})
    pq.write_table(table, f"{path}/part-0.parquet")
else:
    rows = pq.read_table(path).sort_by("id").to_pylist()
    print(json.dumps([list(row.values()) for row in rows]))
