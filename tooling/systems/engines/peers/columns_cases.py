"""Converts columns of small tables in one Spark session: columns_cases.py FOLDER UTF8 RESULTS < TEXTS"""

import contextlib
import io
import json
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

import utf8_columns
import utf8_spark

OPTIONS = "--from cesu-8+utf-8 --nul keep"


def main(folder, utf8, results):
    texts = json.load(sys.stdin)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.log.level", "OFF").getOrCreate()
    found = {"tables": {}, "types": {}, "errors": {}, "commands": {}}

    def table(values, name):
        """A table in Parquet: a text as STRING and as BINARY, and a column that stays."""
        rows = [Row(id=i, text=value, data=value, other=value) for i, value in enumerate(values)]
        raw = spark.createDataFrame(rows, "id int, text string, data string, other string").coalesce(1)
        bytes_of = {name: F.unhex(name) for name in ("text", "data", "other")}
        path = f"{folder}/{name}"
        raw.select(
            "id", bytes_of["text"].cast("string").alias("text"), *[bytes_of[n].alias(n) for n in ("data", "other")]
        ).write.parquet(path)
        return path

    def keep(name, frame):
        found["types"][name] = [field.dataType.simpleString() for field in frame.schema]
        hexed = [F.hex(F.col(n).cast("binary")).alias(n) for n in frame.columns if n != "id"]
        rows = frame.select("id", *hexed).orderBy("id").collect()
        found["tables"][name] = [[value.lower() if isinstance(value, str) else value for value in row] for row in rows]

    def convert(path, names=("text", "data"), options=OPTIONS, command=utf8):
        return utf8_columns.convert_columns(spark.read.parquet(path), list(names), options, utf8=command)

    def fail(name, **words):
        try:
            path = words.pop("path", refused)
            convert(path, **words).collect()
        except utf8_spark.Refusal as error:
            found["errors"][name] = str(error)
        except Exception as error:
            found["errors"][name] = utf8_spark.find_sentence(error) or utf8_spark.read_line(error)

    good = table(texts, "good")
    keep("STRING and BINARY", convert(good))
    utf8_columns.CHUNK = 8
    keep("chunks of a few bytes", convert(good))
    utf8_columns.CHUNK = 64 << 20
    refused = table(["61", None, "78eda0bd"], "refused")
    bad = table(["78eda0bd"], "bad")
    keep("a policy", convert(bad, options=f"{OPTIONS} --unpaired-surrogates replace"))
    document = table(["7b2261223a22eda0bd227d"], "document")
    keep("JSON", convert(document, options=f"{OPTIONS} --unpaired-surrogates escape --json-columns text,data"))

    nested = f"{folder}/nested"
    spark.range(1).select("id", F.array(F.lit("a")).alias("tags")).write.parquet(nested)
    fail("a refused text", names=["text"])
    fail("a nested column", path=nested, names=["tags"])
    fail("a missing column", names=["nme"])
    fail("a column twice", names=["text", "text"])
    fail("no column", names=[])
    fail("an option of files", options="--format csv --from cesu-8")
    fail("no encoding", options="--nul keep")
    fail("an unknown encoding", options="--from x")
    fail("no program", command="/nowhere/utf8")

    def run(name, path, out, columns="text,data"):
        errors = io.StringIO()
        words = ["--utf8", utf8, "--columns", columns, "--options", OPTIONS, path, f"{folder}/{out}"]
        with contextlib.redirect_stderr(errors):
            code = utf8_columns.main(words)
        found["commands"][name] = [code, errors.getvalue()]

    run("through the command", good, "converted")
    keep("through the command", spark.read.parquet(f"{folder}/converted"))
    run("exists", good, "converted")
    run("nested", nested, "none", "tags")
    run("refused", refused, "none", "text")
    with open(results, "w", encoding="utf-8") as file:
        json.dump(found, file)
    spark.stop()


main(*sys.argv[1:])
