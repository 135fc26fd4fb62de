"""Converts columns of a Spark DataFrame with `utf8 convert`: texts in Parquet, Delta or Iceberg.

    spark-submit --archives utf8-linux-x64.tgz#utf8 --py-files utf8_spark.py utf8_columns.py \\
        --columns name,note --options "--from cesu-8+utf-8" IN... OUT

Columns may be STRING with bytes in it that are not UTF-8, or BINARY; they become STRING. Every row, NULL and
empty text stays where it is. A text that is refused fails the job; policies such as
`--unpaired-surrogates replace` say what becomes of it instead.

Needs utf8_spark.py beside it, and PySpark with pyarrow and pandas as that does.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from typing import Any, Callable, Iterator, List, Optional, Sequence

from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, StringType

from utf8_spark import (
    Failure,
    Options,
    Refusal,
    TaskFailure,
    find_program,
    find_sentence,
    join_option,
    read_json,
    read_line,
    ship_module,
)

# Bytes of text for one process: it starts in 0.06 s, and converts this much in 0.3 s.
CHUNK = 64 << 20

# The options that concern texts. The others say how files are read.
ACCEPTED = (
    "from",
    "to",
    "vendor",
    "errors",
    "nul",
    "unpaired-surrogates",
    "equal-json-keys",
    "noncharacters",
    "controls",
    "mojibake",
    "inner-lengths",
    "json-columns",
    "xml-columns",
)


def convert_columns(
    frame: DataFrame, names: Sequence[str], options: str, *, utf8: Optional[str] = None
) -> DataFrame:
    """Returns a DataFrame in which some columns are converted. The others, and the order of all, are unchanged.

    `names` are columns of STRING or BINARY type; the result has STRING. `options` are those of `utf8 convert`
    that concern texts: --from, --to, --errors, --nul, --unpaired-surrogates, --mojibake, --json-columns and
    the like. `utf8` is the path or name of the command; by default it is `utf8/utf8` from --archives, or else
    `utf8` on the PATH.

    Raises Refusal if a column or an option makes no sense. A text that is refused fails the job that reads the
    result, with its column, its row and its bytes.

        fixed = convert_columns(spark.read.parquet("users"), ["name"], "--from cesu-8+utf-8 --nul keep")
        fixed.write.parquet("users.utf8")
    """
    parsed = Options(options)
    for name, _ in parsed.pairs:
        if name not in ACCEPTED:
            raise Refusal(f"--options: --{name} is for files; columns have no syntax of their own")
    if parsed.get("from") is None:
        raise Refusal("--options: --from is missing")
    check_columns(frame, names)
    for name in (Options.__module__, __name__):
        ship_module(name)
    # Dots and other special characters in names.
    quoted = {name: "`" + name.replace("`", "``") + "`" for name in frame.columns}
    raw = frame.select(
        *[F.col(quoted[name]).cast("binary").alias(name) if name in names else F.col(quoted[name]) for name in quoted]
    )
    rows = raw.mapInArrow(create_task(list(names), parsed, utf8), raw.schema)
    return rows.select(
        *[F.col(quoted[name]).cast("string").alias(name) if name in names else F.col(quoted[name]) for name in quoted]
    )


def check_columns(frame: DataFrame, names: Sequence[str]) -> None:
    """Raises Refusal if columns are missing, given twice, or contain no text."""
    if len(names) == 0:
        raise Refusal("specify at least one column")
    if len(set(frame.columns)) < len(frame.columns):
        raise Refusal("two columns have the same name; rename one of them")
    fields = {field.name: field.dataType for field in frame.schema.fields}
    for name in names:
        if names.count(name) > 1:
            raise Refusal(f"column {name}: given twice")
        if name not in fields:
            raise Refusal(f"column {name}: no such column; expected {', '.join(fields)}")
        if not isinstance(fields[name], (StringType, BinaryType)):
            kind = fields[name].simpleString()
            raise Refusal(f"column {name}: is {kind}; only columns of type string or binary can be converted")


def create_task(
    names: List[str], options: Options, utf8: Optional[str]
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Creates the function for mapInArrow: batches of rows become the same rows with converted texts."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        program = find_program(utf8)
        words = [program, "convert", *options.words(), "--format=csv", "--json"]
        held: List[Any] = []
        size = 0
        done = 0
        for batch in batches:
            held.append(batch)
            size += sum(batch.column(name).nbytes for name in names)
            if size >= CHUNK:
                yield from _convert_batches(held, names, words, done)
                done += sum(each.num_rows for each in held)
                held, size = [], 0
        if held:
            yield from _convert_batches(held, names, words, done)

    return run


def _convert_batches(batches: List[Any], names: List[str], words: List[str], done: int) -> Iterator[Any]:
    """Yields batches with converted texts. `done` is the number of rows of the partition before them."""
    import pyarrow as pa

    table = pa.Table.from_batches(batches)
    texts = [table.column(name).cast(pa.large_binary()).combine_chunks() for name in names]
    places = [table.schema.get_field_index(name) for name in names]
    for at, name, column in zip(places, names, _convert_texts(texts, names, words, done)):
        table = table.set_column(at, pa.field(name, pa.binary()), column.cast(pa.binary()))
    yield from table.to_batches()


def _convert_texts(texts: List[Any], names: List[str], words: List[str], done: int) -> List[Any]:
    """Converts columns as CSV with a header, every field in quotes: it escapes nothing but quotes."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv

    def quote(value: Any) -> Any:
        return pc.replace_substring(value, b'"', b'""')

    def join(*values: Any, separator: bytes) -> Any:
        return pc.binary_join_element_wise(
            *values, _binary(separator), null_handling="replace", null_replacement=b""
        )

    joined = join(*[quote(text) for text in texts], separator=b'","')
    lines = join(_binary(b'"'), joined, _binary(b'"\n'), separator=b"")
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names).encode() + b"\n"
    offsets = memoryview(lines.buffers()[1]).cast("q")
    first, last = offsets[lines.offset], offsets[lines.offset + len(lines)]
    body = memoryview(lines.buffers()[2])[first:last]
    output = _run(words, header, body, done)
    converted = csv.read_csv(
        pa.BufferReader(output),
        # A record must fit into a block.
        read_options=csv.ReadOptions(use_threads=False, block_size=max(len(output), 1)),
        parse_options=csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        convert_options=csv.ConvertOptions(
            check_utf8=False,
            column_types={name: pa.large_binary() for name in names},
            null_values=[],
            strings_can_be_null=False,
        ),
    )
    if converted.num_rows != len(lines) or converted.column_names != names:
        raise TaskFailure(f"utf8 gave {converted.num_rows} rows for {len(lines)}")
    results = []
    for text, column in zip(texts, converted.columns):
        # A NULL went in as an empty text.
        nothing = pa.scalar(None, pa.large_binary())
        results.append(pc.if_else(pc.is_null(text), nothing, column.combine_chunks()))
    return results


def _binary(value: bytes) -> Any:
    import pyarrow as pa

    return pa.scalar(value, pa.large_binary())


def _run(words: List[str], header: bytes, body: Any, done: int) -> bytes:
    """Runs the command, and returns its output. Raises TaskFailure if it refuses anything."""
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
    ) as child:
        output, log = child.communicate(b"".join((header, body)))
    if child.returncode == 0:
        return output
    said = [line for line in log.decode(errors="replace").splitlines() if line]
    refusal = read_json(said[0]) if said else None
    if child.returncode == 1 and refusal and "record" in refusal:
        context = TaskContext.get()
        part = context.partitionId() if context else 0
        place = f"column {refusal['column']}: row {done + refusal['record']} of partition {part}"
        raise TaskFailure(f"{place}: {refusal['kind']}: {refusal['bytes']}")
    raise TaskFailure(f"utf8 ended with {child.returncode}: {'; '.join(said[-3:])}")


def _create_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="utf8_columns.py",
        allow_abbrev=False,
        description="Convert columns of Parquet and other formats of Spark with utf8.",
        epilog="Exit codes: 0 success; 1 the job failed; 2 invalid command line.",
    )
    parser.add_argument("--columns", required=True, help="names of the columns, separated by commas")
    parser.add_argument("--options", required=True, help='options of utf8 convert, such as "--from cesu-8"')
    parser.add_argument("--utf8", help="the command [default: utf8/utf8 from --archives, or utf8 on the PATH]")
    parser.add_argument("--format", default="parquet", help="format of IN and OUT [default: parquet]")
    parser.add_argument("inputs", metavar="IN", nargs="+", help="files, folders and globs of any file system")
    parser.add_argument("out", metavar="OUT", help="a new folder")
    return parser


def main(words: Sequence[str]) -> int:
    """Runs a command line, and returns the exit code."""
    args = _create_parser().parse_args(join_option(words, "--options"))
    try:
        Options(args.options)
        spark = SparkSession.builder.appName("utf8").getOrCreate()
        try:
            frame = spark.read.format(args.format).load(args.inputs)
            converted = convert_columns(frame, args.columns.split(","), args.options, utf8=args.utf8)
            # Version 2 would leave the output of tasks when the job fails.
            writer = converted.write.option("mapreduce.fileoutputcommitter.algorithm.version", "1")
            writer.format(args.format).save(args.out)
        except (Refusal, Failure):
            raise
        except Exception as error:
            raise Failure(find_sentence(error) or read_line(error)) from error
    except (Refusal, Failure) as error:
        print(f"utf8_columns: {error}", file=sys.stderr)
        return 2 if isinstance(error, Refusal) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
