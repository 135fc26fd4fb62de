"""What readers make of bytes that are not UTF-8: python3 readers.py duckdb|polars|pyarrow

Prints JSON: for each reader, what becomes of the value of one record among three. Malformed values have the
same outcome, or the outcomes are listed.
"""

import json
import os
import sys
import tempfile

MALFORMED = {
    "pair of surrogates": b"\xed\xa0\xbd\xed\xb8\x80",
    "U+0000 in two bytes": b"a\xc0\x80b",
    "unpaired-surrogate": b"a\xed\xa0\xbd",
    "no lead at all": b"a\xffb",
    "cut short": b"a\xe2\x82",
}
ZERO = b"a\0b"


def write_csv(value):
    with open("data.csv", "wb") as file:
        file.write(b"id,name\n1,first\n2," + value + b"\n3,last\n")


def write_json(value):
    with open("data.jsonl", "wb") as file:
        file.write(b'{"id":1,"name":"first"}\n{"id":2,"name":"' + value + b'"}\n{"id":3,"name":"last"}\n')


def make_table(value, is_string):
    import pyarrow

    names = pyarrow.array([b"first", value, b"last"], pyarrow.binary())
    # A view is not checked, as little as a writer in C or Java that has such bytes.
    return pyarrow.table({"id": [1, 2, 3], "name": names.view(pyarrow.string()) if is_string else names})


def write_parquet(value):
    import pyarrow.parquet

    pyarrow.parquet.write_table(make_table(value, True), "data.parquet")


def rows_of(table):
    """The rows of an Arrow table, with bytes for text, and whether the column is one of text."""
    import pyarrow

    column = table.column("name")
    names = column.cast(pyarrow.binary()).to_pylist()
    return list(zip(table.column("id").to_pylist(), names)), not pyarrow.types.is_binary(column.type)


def duckdb_readers():
    import duckdb

    def query(sql, **views):
        # Of its own each time: some errors make a database unusable. Nothing is downloaded.
        config = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
        with duckdb.connect(config=config) as connection:
            for name, view in views.items():
                connection.register(name, view)
            rows = connection.sql(sql).fetchall()
        text = any(isinstance(name, str) for _, name in rows)
        return [(id, name.encode() if isinstance(name, str) else name) for id, name in rows], text

    csv = "FROM read_csv('data.csv'{})".format
    jsonl = "FROM read_json('data.jsonl'{})".format
    return {
        "`read_csv`": (write_csv, lambda: query(csv(""))),
        "`read_csv`, `ignore_errors = true`": (write_csv, lambda: query(csv(", ignore_errors = true"))),
        "`read_csv`, `store_rejects = true`": (write_csv, lambda: query(csv(", store_rejects = true"))),
        "`read_json`": (write_json, lambda: query(jsonl(""))),
        "`read_json`, `ignore_errors = true`": (write_json, lambda: query(jsonl(", ignore_errors = true"))),
        "`read_parquet`, column of strings": (write_parquet, lambda: query("FROM read_parquet('data.parquet')")),
    }


def polars_readers():
    import polars

    def rows(frame):
        return rows_of(frame.to_arrow())

    return {
        "`read_csv`": (write_csv, lambda: rows(polars.read_csv("data.csv"))),
        "`read_csv`, `ignore_errors=True`": (
            write_csv,
            lambda: rows(polars.read_csv("data.csv", ignore_errors=True)),
        ),
        '`read_csv`, `encoding="utf8-lossy"`': (
            write_csv,
            lambda: rows(polars.read_csv("data.csv", encoding="utf8-lossy")),
        ),
        "`read_ndjson`": (write_json, lambda: rows(polars.read_ndjson("data.jsonl"))),
        "`read_ndjson`, `ignore_errors=True`": (
            write_json,
            lambda: rows(polars.read_ndjson("data.jsonl", ignore_errors=True)),
        ),
        "`read_parquet`, column of strings": (write_parquet, lambda: rows(polars.read_parquet("data.parquet"))),
        "`from_arrow`, column of strings": (
            write_parquet,
            lambda: rows(polars.from_arrow(pyarrow_parquet().read_table("data.parquet"))),
        ),
    }


def pyarrow_parquet():
    import pyarrow.parquet

    return pyarrow.parquet


def arrow_readers():
    import pyarrow
    import pyarrow.csv
    import pyarrow.json

    def read_csv(**options):
        convert = pyarrow.csv.ConvertOptions(**options)
        return rows_of(pyarrow.csv.read_csv("data.csv", convert_options=convert))

    def validate():
        table = pyarrow_parquet().read_table("data.parquet")
        table.validate(full=True)
        return rows_of(table)

    return {
        "`csv.read_csv`": (write_csv, read_csv),
        "`csv.read_csv`, column of strings": (
            write_csv,
            lambda: read_csv(column_types={"name": pyarrow.string()}),
        ),
        "`csv.read_csv`, `check_utf8=False`": (write_csv, lambda: read_csv(check_utf8=False)),
        "`json.read_json`": (write_json, lambda: rows_of(pyarrow.json.read_json("data.jsonl"))),
        "`parquet.read_table`": (
            write_parquet,
            lambda: rows_of(pyarrow_parquet().read_table("data.parquet")),
        ),
        "`parquet.read_table`, `validate(full=True)`": (write_parquet, validate),
    }


def describe(value, expected, read):
    """What has become of a value, in the words of the table in apps/site/pages/engines.md."""
    try:
        rows, is_text = read()
    # Panics of Rust are no Exception.
    except BaseException:
        return "refused"
    ids = [id for id, _ in rows]
    if ids == [1, 3]:
        return "record dropped"
    if ids == [1, None, 3]:
        return "every field becomes NULL"
    names = dict(rows)
    if (ids, names[1], names[3]) != ([1, 2, 3], b"first", b"last"):
        return f"other records change: {rows}"
    if names[2] == expected:
        return "kept" if is_valid(expected) else "passes unchecked" if is_text else "column becomes binary"
    if names[2] == b"\0":
        return "becomes U+0000"
    return "becomes U+FFFD" if "\ufffd" in names[2].decode() else f"becomes {names[2]!r}"


def is_valid(value):
    try:
        value.decode()
        return True
    except UnicodeDecodeError:
        return False


def main():
    readers = {"duckdb": duckdb_readers, "polars": polars_readers, "pyarrow": arrow_readers}[sys.argv[1]]()
    results = {}
    for name, (write, read) in readers.items():

        def ask(value, expected=None):
            write(value)
            return describe(value, value if expected is None else expected, read)

        malformed = {ask(value) for value in MALFORMED.values()}
        # JSON has U+0000 as an escape alone, and can escape a surrogate without its partner.
        is_json = write is write_json
        zero = ask(rb"a\u0000b", ZERO) if is_json else ask(ZERO)
        results[name] = [" or ".join(sorted(malformed)), zero, ask(rb"\ud83d", b"\xed\xa0\xbd") if is_json else ""]
    print(json.dumps(results))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
    os.chdir("/")
