"""Converts text of any size with `utf8 convert` on Apache Spark.

    spark-submit --archives utf8-linux-x64.tgz#utf8 utf8_spark.py --options "OPTIONS" IN... OUT

Each split of a file goes through one `utf8 convert`, fed the raw lines that Spark's `text` source reads.
What it converts, rejects and counts is one write of one Spark job: all of a task is committed or nothing,
however often the task was tried, killed or run twice.

    OUT/kind=out/        converted text; the parts sorted by name have the lines of each file in order
    OUT/kind=rejects/    refused records, as they were
    OUT/kind=findings/   with --findings: what was found, as `utf8 scan --report` says it, and its split
    OUT/kind=stats/      the counts of each split, as JSON
    OUT/_utf8.json       the sums, in all and for each file
    OUT/_SUCCESS         written last, when every check has passed

Needs PySpark 3.5 or later with pyarrow and pandas, which PySpark wants for functions of Arrow batches:
`pip install 'pyspark[sql]'`. Tested with PySpark 4.3.0.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from pyspark import SparkFiles, TaskContext, cloudpickle
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

Json = Dict[str, Any]

# Bytes of a row of OUT: whole lines, or one longer line.
BLOCK = 1 << 20

# Rows and bytes of a batch from Spark. Its default, 10,000 rows of any size, may exceed Arrow's 2 GiB.
BATCH_ROWS = 65_536
BATCH_BYTES = 16 << 20

# Larger than any file, and small enough to be added up.
NO_LIMIT = 1 << 60

# Linux; Python has the name from 3.10 on.
F_SETPIPE_SZ = 1031

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# Files that the driver examines at the same time: each takes two round trips to the store.
LOOKS = 32

# Tenths of a second to wait for tasks that Spark has told to stop. Other jobs may have tasks, too.
PATIENCE = 100

# Options of `utf8 convert` that have the same meaning in a split as in a file; true if they have a value.
ACCEPTED: Dict[str, bool] = {
    "from": True,
    "to": True,
    "vendor": True,
    "errors": True,
    "nul": True,
    "unpaired-surrogates": True,
    "equal-json-keys": True,
    "noncharacters": True,
    "controls": True,
    "mojibake": True,
    "inner-lengths": True,
    "bom": True,
    "format": True,
    "delimiter": True,
    "columns": True,
    "json-columns": True,
    "xml-columns": True,
    "schema-table": True,
    "binary": True,
    "quote": True,
    "escape": True,
    "quoted-escape": True,
    "no-header": False,
    "schema": True,
    "assume": True,
    "fix-header": False,
    "allow": True,
}

# The other options, with the reason why a split cannot have them.
REFUSED: Dict[str, str] = {
    "output": "OUT is the last argument",
    "rejects": "rejected records are in OUT/kind=rejects; --strict fails at the first one",
    "reject-children": "it reads a whole file several times, and a task reads its input once",
    "undo": "an undo log belongs to one output file, and OUT has many",
    "stats": "counts are in OUT/kind=stats and OUT/_utf8.json",
    "json": "findings are in OUT/kind=findings with --findings",
    "jobs": "Spark decides how many splits are converted at the same time",
    "range": "Spark decides where files are cut",
    "index": "Spark decides where files are cut",
    "group": "Spark may cut between the lines of a record",
    "resume": "a job that failed leaves nothing to resume; Spark repeats failed tasks by itself",
    "no-color": "executors have no terminal",
    "help": "run `utf8 convert --help`",
}

SHORT: Dict[str, str] = {"f": "from", "t": "to", "o": "output", "h": "help"}

# Options that `utf8 scan` does not have.
NOT_FOR_SCAN = ("allow", "bom")

# Formats in which every line feed ends a record, with any options.
LINE_FORMATS = ("copy", "jsonl", "lines")

# The same if there is neither a quote, an escape character nor a header.
DELIMITED_FORMATS = ("csv", "tsv")

# Compressed data, by its first bytes, and the end of a file's name by which Spark knows it.
SIGNATURES = ((b"\x1f\x8b", "gzip", ".gz"), (b"BZh", "bzip2", ".bz2"), (b"\x28\xb5\x2f\xfd", "zstd", ".zst"))


class Refusal(Exception):
    """An error that the user must correct before a job can start: in an option, a path, a program. Exit code 2."""


class Failure(Exception):
    """The reason why a job failed, in one sentence. Its output was removed. Exit code 1."""


class TaskFailure(RuntimeError):
    """The reason why a task failed, in one sentence, as executors log it."""


class Options:
    """Options of `utf8 convert`, as a user writes them.

    Raises Refusal if one is unknown, lacks its value, or makes no sense for a split of a file.
    """

    def __init__(self, text: str) -> None:
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise Refusal(f"--options: {error}: {text}") from None
        # As they were written: an option may be repeated.
        self.pairs: List[Tuple[str, Optional[str]]] = []
        while words:
            word = words.pop(0)
            name, inline = _split_option(word)
            if name in REFUSED:
                raise Refusal(f"--options: --{name} is not for Spark: {REFUSED[name]}")
            if name not in ACCEPTED:
                raise Refusal(f"--options: unknown option {word}; see `utf8 convert --help`")
            value = inline
            if ACCEPTED[name] and inline is None:
                if not words:
                    raise Refusal(f"--options: {word} needs a value")
                value = words.pop(0)
            self.pairs.append((name, value))
        if self.get("bom") == "add":
            raise Refusal("--options: --bom add is not for Spark: every split would get a byte order mark")

    def get(self, name: str) -> Optional[str]:
        """Returns the value of an option; "" if it has none, None if it is missing. The last one counts."""
        values = [value or "" for each, value in self.pairs if each == name]
        return values[-1] if values else None

    def has(self, name: str) -> bool:
        """Tells whether an option is given."""
        return self.get(name) is not None

    def words(self, without: Sequence[str] = ()) -> List[str]:
        """Returns the options as words of a command line, files that --files has shipped by their path."""
        words = []
        for name, value in self.pairs:
            if name in without:
                continue
            if name == "schema" and value is not None:
                value = _find_shipped(value) or value
            words.append(f"--{name}" if value is None else f"--{name}={value}")
        return words

    @property
    def format(self) -> Optional[str]:
        """The format of the records; None for plain text."""
        return self.get("format")

    @property
    def ends_at_line_feeds(self) -> bool:
        """True if every line feed ends a record, so that a file can be cut after any of them."""
        if self.format in DELIMITED_FORMATS:
            has_quote = self.get("quote") != ""
            has_escape = bool(self.get("escape") or self.get("quoted-escape"))
            return self.has("no-header") and not has_quote and not has_escape
        return self.format is None or self.format in LINE_FORMATS


def _split_option(word: str) -> Tuple[str, Optional[str]]:
    """Returns the name of an option, and its value if that is in the same word."""
    if word.startswith("--"):
        name, equals, value = word[2:].partition("=")
        return name, value if equals else None
    if word.startswith("-") and len(word) > 1:
        return SHORT.get(word[1], word), word[2:] or None
    raise Refusal(f"--options: unexpected argument {word}; files follow the options")


def _find_shipped(name: str) -> Optional[str]:
    """Finds what --archives or --files has shipped: in Spark's folder, or as YARN does in the current one."""
    for folder in (SparkFiles.getRootDirectory(), os.getcwd()):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    return None


def find_program(wanted: Optional[str]) -> str:
    """Returns the path of the command on this machine.

    `wanted` is a path, absolute or within what --archives has shipped, or a name on the PATH. If it is None,
    `utf8/utf8` from --archives is preferred to `utf8` on the PATH. Raises TaskFailure if there is none.
    """
    names = ["utf8/utf8", "utf8"] if wanted is None else [wanted]
    for name in names:
        path = _find_shipped(name) if "/" in name else shutil.which(name)
        if path and os.access(path, os.X_OK):
            return path
    where = "neither in --archives nor on the PATH" if wanted is None else f"there is no program {wanted}"
    host = os.uname().nodename
    raise TaskFailure(f"utf8 is missing on {host}: {where}; ship it with --archives utf8-linux-x64.tgz#utf8")


class Plan(NamedTuple):
    """The work of tasks. It is pickled, and sent with each of them."""

    utf8: Optional[str]
    options: Options
    is_strict: bool
    wants_findings: bool
    # The files that begin with a byte order mark, which Spark's reader drops.
    marked: Dict[str, bool]


class Split:
    """The conversion of one split of one file, which gives rows for OUT. Always close it."""

    def __init__(self, plan: Plan, program: str, file: str, start: int) -> None:
        self.file = file
        self.start = start
        self._plan = plan
        self._lines = 0
        self._bytes = 0
        self._received = 0
        self._rejected = 0
        # In Spark's folder, which the cluster removes even after kill -9.
        self._home = tempfile.mkdtemp(prefix="utf8-", dir=SparkFiles.getRootDirectory())
        self._children: List[subprocess.Popen[bytes]] = []
        self._reader: Optional[threading.Thread] = None
        try:
            self._start(program)
        except BaseException:
            self.close()
            raise

    def _start(self, program: str) -> None:
        options = self._plan.options
        # A byte order mark is at the start of a file; U+FEFF at the start of a split is text.
        words = options.words(without=() if self.start == 0 else ("bom",))
        rejects = ["--rejects", self._path("rejects")] if self._has_rejects else []
        stats = ["--json", "--stats", self._path("stats")]
        self._convert = self._run([program, "convert", *words, *rejects, *stats], subprocess.PIPE)
        if self._plan.wants_findings:
            words = options.words(without=NOT_FOR_SCAN)
            report = ["--report", self._path("report")]
            self._run([program, "scan", *words, *report], subprocess.DEVNULL)
        # Unlimited, but contains at most the result of one batch.
        self._blocks: queue.SimpleQueue[Optional[bytes]] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if self.start == 0 and self._plan.marked.get(self.file):
            self._write(BYTE_ORDER_MARK)

    @property
    def _has_rejects(self) -> bool:
        return self._plan.options.format is not None and not self._plan.is_strict

    def _path(self, name: str) -> str:
        return os.path.join(self._home, name)

    def _run(self, words: List[str], stdout: int) -> subprocess.Popen[bytes]:
        with open(self._path(f"log.{len(self._children)}"), "wb") as log:
            environment = {**os.environ, "TMPDIR": self._home}
            child = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=stdout,
                stderr=log,
                env=environment,
                bufsize=0,
                # A process group of its own, which also contains children of a launcher.
                start_new_session=True,
            )
        self._children.append(child)
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                _widen(stream)
        return child

    def _read(self) -> None:
        """Reads the converted text, in a thread of its own."""
        stdout = self._convert.stdout
        assert stdout is not None
        try:
            with open(stdout.fileno(), "rb", buffering=BLOCK, closefd=False) as stream:
                for block, size in _read_blocks(stream):
                    self._received += size
                    self._blocks.put(block)
        finally:
            self._blocks.put(None)

    def feed(self, lines: Any) -> Iterator[Any]:
        """Converts lines, an Arrow array of binary values without their line feeds; yields rows that are ready."""
        import pyarrow as pa
        import pyarrow.compute as pc

        large = lines.cast(pa.large_binary())
        text = pc.binary_join_element_wise(large, _binary(b""), _binary(b"\n"))
        offsets = memoryview(text.buffers()[1]).cast("q")
        first, last = offsets[text.offset], offsets[text.offset + len(text)]
        self._lines += len(lines)
        self._write(memoryview(text.buffers()[2])[first:last])
        while not self._blocks.empty():
            block = self._blocks.get()
            if block is None:
                # It has ended early. Keep the mark for the end.
                self._blocks.put(None)
                return
            yield _row("out", block)

    def _write(self, data: Any) -> None:
        self._bytes += len(data)
        for child in self._children:
            assert child.stdin is not None
            rest = memoryview(data)
            try:
                while len(rest) > 0:
                    rest = rest[child.stdin.write(rest) or 0 :]
            except BrokenPipeError:
                raise self._explain() from None

    def finish(self) -> Iterator[Any]:
        """Waits for the end of the conversion, checks it, and yields the rest of the rows."""
        self._end_input()
        while True:
            block = self._blocks.get()
            if block is None:
                break
            yield _row("out", block)
        if any(code not in good for code, good in self._codes()):
            raise self._explain()
        if self._has_rejects:
            with open(self._path("rejects"), "rb") as file:
                for block, size in _read_blocks(file):
                    self._rejected += size
                    yield _row("rejects", block)
        if self._plan.wants_findings:
            yield from self._list_findings()
        with open(self._path("stats"), "rb") as file:
            stats = json.load(file)
        self._check(stats)
        context = TaskContext.get()
        counts = {
            "file": self.file,
            "split": self.start,
            "part": context.partitionId() if context else 0,
            "bytes": self._bytes,
            "lines": self._lines,
            "stats": stats,
            "notices": [line for line in self._log(0) if not line.startswith("{")],
        }
        yield _row("stats", json.dumps(counts).encode())

    def _end_input(self) -> None:
        for child in self._children:
            assert child.stdin is not None
            try:
                child.stdin.close()
            except BrokenPipeError:
                # It has ended; its exit code is the reason.
                pass

    def _codes(self) -> List[Tuple[int, Tuple[int, ...]]]:
        """The exit codes, and which are good: 1 means findings of a scan, or rejected records.

        A conversion that ends with 1 at a refusal writes no counts.
        """
        codes = [child.wait() for child in self._children]
        has_ended = self._has_rejects and os.path.exists(self._path("stats"))
        return [(code, (0, 1) if i or has_ended else (0,)) for i, code in enumerate(codes)]

    def _list_findings(self) -> Iterator[Any]:
        """Yields the findings, with the file and the split instead of stdin."""
        start = {"type": "finding", "file": self.file, "split": self.start}
        place = json.dumps(start, separators=(",", ":"))[:-1].encode() + b","
        with open(self._path("report"), "rb") as report:
            for block, _ in _read_blocks(report):
                # A line feed within a string is \n there.
                block = (b"\n" + block).replace(b'\n{"type":"finding","file":"-",', b"\n" + place)[1:]
                yield _row("findings", block)

    def _check(self, stats: Json) -> None:
        """Compares the counts of the command with the input and output here."""
        expected = {"bytesRead": self._bytes, "bytesWritten": self._received}
        found = {name: stats[name] for name in expected}
        records = stats.get("records")
        if records is None:
            expected["lines"], found["lines"] = self._lines, stats["lines"]
        else:
            expected["records"], found["records"] = records["out"] + records["rejected"], records["in"]
            if self._plan.options.ends_at_line_feeds:
                # COPY's end of data, \., is a line, but not a record.
                lines = min(self._lines, records["in"]) if self._plan.options.format == "copy" else self._lines
                expected["lines"], found["lines"] = lines, records["in"]
                if self._has_rejects:
                    expected["bytesRejected"], found["bytesRejected"] = self._rejected, stats["bytesRejected"]
        if found != expected:
            raise TaskFailure(f"{self._place}: utf8 has counted {found}, and {expected} passed through here")

    def _log(self, number: int) -> List[str]:
        with open(self._path(f"log.{number}"), encoding="utf-8", errors="replace") as log:
            lines = [line.strip() for line in log]
        return [line[6:] if line.startswith("utf8: ") else line for line in lines if line]

    @property
    def _place(self) -> str:
        return f"{self.file}: split at byte {self.start}" if self.start else self.file

    def _explain(self) -> TaskFailure:
        """Returns the reason why a child has ended, after waiting for all of them."""
        self._end_input()
        for number, (code, good) in enumerate(self._codes()):
            if code in good:
                continue
            lines = self._log(number)
            refusal = read_json(lines[0]) if lines else None
            if code == 1 and refusal and "offset" in refusal:
                return TaskFailure(describe_refusal(self.file, self.start, refusal))
            end = f"was killed by {_name_signal(-code)}" if code < 0 else f"ended with exit code {code}"
            said = "".join(f": {line}" for line in lines[-3:])
            return TaskFailure(f"{self._place}: utf8 {end}{said}")
        return TaskFailure(f"{self._place}: utf8 stopped reading after {self._bytes} bytes, with exit code 0")

    def close(self) -> None:
        """Ends the children, and removes their files."""
        self._end_input()
        for child in self._children:
            # Never after it has been waited for: its number may be that of another process by then.
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        if self._reader is not None:
            # It must end before another file can get the number of the pipe.
            self._reader.join()
        for child in self._children:
            if child.stdout is not None:
                child.stdout.close()
        shutil.rmtree(self._home, ignore_errors=True)


def _normalize(uri: str) -> str:
    """Normalizes the URI of a file: Java also writes file:/tmp for file:///tmp."""
    return re.sub(r"^([A-Za-z][A-Za-z0-9+.-]*):/(?!/)", r"\1:///", uri)


def describe_refusal(file: str, start: int, refusal: Json) -> str:
    """Describes the error that ended a conversion, and its place, in the words of `utf8 convert`."""
    line, offset, found = refusal["line"], refusal["offset"], refusal["bytes"]
    what = refusal.get("kind") or refusal["reason"]
    record = refusal.get("record")
    inside = "" if record is None else f"column {refusal['column']} (record {record}): "
    if record == 0:
        inside = "outside of records: "
    place = f"{file}: split at byte {start}, line {line}" if start else f"{file}:{line}"
    return f"{place}: {inside}offset {offset}: {what}" + (f": {found}" if found else "")


def read_json(text: str) -> Optional[Json]:
    """Reads an object; None if the text is not an object."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _name_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _widen(stream: Any) -> None:
    """Enlarges a pipe to a block, if the system allows it: 64 KiB take more switches between processes."""
    try:
        fcntl.fcntl(stream.fileno(), F_SETPIPE_SZ, BLOCK)
    except OSError:
        pass


def _binary(value: bytes) -> Any:
    import pyarrow as pa

    return pa.scalar(value, pa.large_binary())


def _row(kind: str, value: bytes) -> Any:
    """Returns a batch of one row of OUT. The writer adds a line feed."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([pa.array([kind]), pa.array([value], pa.binary())], ["kind", "value"])


def _read_blocks(stream: BinaryIO) -> Iterator[Tuple[bytes, int]]:
    """Reads whole lines, about a block at once; yields them without the last line feed, and their size with it."""
    begun: List[bytes] = []
    while True:
        chunk = stream.read(BLOCK)
        if not chunk:
            break
        end = chunk.rfind(b"\n")
        if end == -1:
            begun.append(chunk)
            continue
        block = b"".join([*begun, chunk[:end]])
        yield block, len(block) + 1
        begun = [chunk[end + 1 :]]
    last = b"".join(begun)
    if last:
        yield last, len(last)


def create_task(plan: Plan) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Creates the function for mapInArrow: batches of (value, split) become batches of (kind, value).

    `split` is the start and the URI of the file in the first row of the task, and NULL in the others: a path in
    every row would cost nearly as much as the conversion.
    """

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        program = find_program(plan.utf8)
        split: Optional[Split] = None
        try:
            for batch in batches:
                if batch.num_rows == 0:
                    continue
                if split is None:
                    start, _, file = batch.column(1)[0].as_py().partition(" ")
                    split = Split(plan, program, _normalize(file), int(start))
                yield from split.feed(batch.column(0))
            if split is not None:
                yield from split.finish()
        finally:
            if split is not None:
                split.close()

    return run


def create_probe(utf8: Optional[str], options: Options) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Creates a task that asks the command for its version, and has it check the options."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for _ in batches:
            pass
        program = find_program(utf8)

        def ask(*words: str) -> subprocess.CompletedProcess[bytes]:
            return subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False)

        version = ask("--version")
        trial = ask("convert", *options.words())
        answer = {
            "version": version.stdout.decode(errors="replace").strip(),
            "code": version.returncode or (2 if trial.returncode == 2 else 0),
            "said": (version if version.returncode else trial).stderr.decode(errors="replace").strip(),
        }
        yield pa.RecordBatch.from_arrays([pa.array([json.dumps(answer)])], ["answer"])

    return run


class Source(NamedTuple):
    """A file to convert, as the driver sees it."""

    # As in Spark's metadata: a URI in which spaces are %20.
    file: str
    size: int
    is_compressed: bool
    has_mark: bool
    # None if the file is compressed.
    ends_with_line_feed: Optional[bool]
    is_empty: bool


class Files:
    """Hadoop's file systems, through the JVM of the driver."""

    def __init__(self, spark: SparkSession) -> None:
        try:
            jvm = spark.sparkContext._jvm
            assert jvm is not None
            self._jvm: Any = jvm
            self._configuration: Any = spark._jsc.hadoopConfiguration()
        except Exception:  # What Spark Connect raises depends on its version.
            raise Refusal("Spark Connect is not supported; run this with spark-submit") from None
        self._codecs = self._jvm.org.apache.hadoop.io.compress.CompressionCodecFactory(self._configuration)

    def at(self, path: str) -> Tuple[Any, Any]:
        """Returns a path, and its file system."""
        return self._open(self._jvm.org.apache.hadoop.fs.Path(path))

    def at_uri(self, uri: str) -> Tuple[Any, Any]:
        """Returns the path of a URI, and its file system."""
        return self._open(self._jvm.org.apache.hadoop.fs.Path(self._jvm.java.net.URI(uri)))

    def _open(self, path: Any) -> Tuple[Any, Any]:
        try:
            return path, path.getFileSystem(self._configuration)
        except Exception as error:
            raise Refusal(f"{path.toString()}: {read_line(error)}") from None

    def exists(self, path: str) -> bool:
        """Tells whether there is anything of that name."""
        hadoop, system = self.at(path)
        return bool(system.exists(hadoop))

    def create(self, path: str, text: str) -> None:
        """Writes a new file. Raises if there is one."""
        hadoop, system = self.at(path)
        stream = system.create(hadoop, False)
        stream.write(bytearray(text.encode()))
        stream.close()

    def remove(self, path: str) -> None:
        """Removes a file, or a folder with everything in it."""
        hadoop, system = self.at(path)
        system.delete(hadoop, True)

    def expand(self, operand: str) -> List[Tuple[str, bool]]:
        """Returns the URI of each file and folder that an operand denotes, and whether it is a folder."""
        hadoop, system = self.at(operand)
        found = system.globStatus(hadoop)
        if not found:
            raise Refusal(f"{operand}: no such file or folder")
        return [(_normalize(each.getPath().toUri().toString()), bool(each.isDirectory())) for each in found]

    def look(self, uri: str) -> Source:
        """Reads the first and the last bytes of a file, which Spark's reader hides.

        Raises Refusal if the file cannot be read, or is compressed without a name that says so.
        """
        try:
            return self._look(uri)
        except Refusal:
            raise
        except Exception as error:
            raise Refusal(f"{uri}: cannot be read: {read_line(error)}") from None

    def _look(self, uri: str) -> Source:
        path, system = self.at_uri(uri)
        size = int(system.getFileStatus(path).getLen())
        codec = self._codecs.getCodec(path)
        stream = system.open(path)
        try:
            if codec is not None:
                head = bytes(self._decompress(codec, stream).readNBytes(3))
                return Source(uri, size, True, head == BYTE_ORDER_MARK, None, len(head) == 0)
            head = bytes(stream.readNBytes(4))
            for signature, name, ending in SIGNATURES:
                if head.startswith(signature):
                    how = f"is compressed with {name}, but its name does not end with {ending}"
                    raise Refusal(f"{uri}: {how}, by which Spark recognizes it")
            last = b""
            if size > 0:
                stream.seek(size - 1)
                last = bytes(stream.readNBytes(1))
            return Source(uri, size, False, head[:3] == BYTE_ORDER_MARK, last == b"\n", size == 0)
        finally:
            stream.close()

    def _decompress(self, codec: Any, stream: Any) -> Any:
        if codec.getDefaultExtension() == ".zst":
            # Hadoop's own needs a native library, which most installations lack; Spark reads zstd with this.
            return self._jvm.com.github.luben.zstd.ZstdInputStream(stream)
        return codec.createInputStream(stream)

    def find_line_start(self, uri: str, start: int) -> Optional[int]:
        """Returns the start of the first line of a split; None if it is not known."""
        path, system = self.at_uri(uri)
        if self._codecs.getCodec(path) is not None:
            return None
        stream = system.open(path)
        try:
            # The line that begins at `start` belongs to the split before.
            stream.seek(start)
            while True:
                chunk = bytes(stream.readNBytes(BLOCK))
                feed = chunk.find(b"\n")
                if feed != -1:
                    return start + feed + 1
                if not chunk:
                    return None
                start += len(chunk)
        finally:
            stream.close()


def _open_session(spark: SparkSession, options: Options) -> SparkSession:
    """Opens a session with the settings of another one and our own, which others do not notice."""
    session = spark.newSession()
    for key, value in spark.conf.getAll.items() if hasattr(spark.conf, "getAll") else ():
        if session.conf.isModifiable(key):
            session.conf.set(key, value)
    # Rows come kind by kind: a task has all kinds open, and Spark need not sort.
    session.conf.set("spark.sql.maxConcurrentOutputFileWriters", "8")
    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(BATCH_ROWS))
    session.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", str(BATCH_BYTES))
    # Spark would read the files of an archive, and ignore files that cannot be read.
    session.conf.set("spark.sql.files.archive.reader.enabled", "false")
    if not options.ends_at_line_feeds:
        session.conf.set("spark.sql.files.maxPartitionBytes", str(NO_LIMIT))
    # No two splits share a task: a file that seems to cost as much to open as a task may read gets its own.
    most = session.conf.get("spark.sql.files.maxPartitionBytes")
    session.conf.set("spark.sql.files.openCostInBytes", str(most))
    session.conf.set("spark.sql.files.maxPartitionNum", str(2**31 - 1))
    return session


def _read(session: SparkSession, inputs: Sequence[str]) -> DataFrame:
    """Reads raw lines: Spark's text source copies bytes, and decodes nothing."""
    settings = {
        # Only this: by default a carriage return also ends a line, and is lost.
        "lineSep": "\n",
        "recursiveFileLookup": "true",
        # Files that cannot be read must fail, not be skipped.
        "ignoreCorruptFiles": "false",
        "ignoreMissingFiles": "false",
        "mapreduce.input.linerecordreader.line.maxlength": str(2**31 - 1),
    }
    return session.read.options(**settings).text(list(inputs))


def _list_sources(files: Files, inputs: Sequence[str], names: Sequence[str]) -> List[Source]:
    """Examines every file that Spark will read. Raises Refusal if Spark would skip a given one."""
    known = set(names)
    roots: Dict[str, str] = {}
    for operand in inputs:
        for uri, is_folder in files.expand(operand):
            if uri in roots:
                raise Refusal(f"{operand}: given twice, also as {roots[uri]}")
            roots[uri] = operand
            inside = uri.rstrip("/") + "/"
            if is_folder and not any(name.startswith(inside) for name in known):
                raise Refusal(f"{operand}: contains no files; Spark skips names that begin with _ or .")
            if not is_folder and uri not in known:
                raise Refusal(f"{operand}: Spark skips names that begin with _ or .; rename it")
    for uri, operand in roots.items():
        folder = uri
        while "/" in folder:
            folder = folder.rpartition("/")[0]
            if folder in roots:
                raise Refusal(f"{operand}: given twice, also in {roots[folder]}")
    with ThreadPoolExecutor(LOOKS) as pool:
        return sorted(pool.map(files.look, names))


def _add(sums: Json, counts: Json) -> None:
    """Adds counts to sums. Values other than numbers are the same in all."""
    for key, value in counts.items():
        if isinstance(value, dict):
            _add(sums.setdefault(key, {}), value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            sums[key] = sums.get(key, 0) + value
        elif key not in ("file", "files"):
            sums[key] = value


def _sum_up(sources: Sequence[Source], splits: Sequence[Json]) -> Json:
    """Adds up the counts of all splits, and compares them with the files. Raises Failure if a byte is missing."""
    totals: Dict[str, Json] = {each.file: {"splits": 0, "bytes": 0, "lines": 0, "stats": {}} for each in sources}
    sums: Json = {}
    notices: List[str] = []
    for split in splits:
        total = totals.get(split["file"])
        if total is None:
            raise Failure(f"{split['file']}: was read, but is not among the inputs")
        total["splits"] += 1
        for name in ("bytes", "lines"):
            total[name] += split[name]
        _add(total["stats"], split["stats"])
        _add(sums, split["stats"])
        place = f"{split['file']}: split at byte {split['split']}" if split["split"] else split["file"]
        notices.extend(f"{place}: {text}" for text in split["notices"])
    listed = []
    for source in sources:
        total = totals[source.file]
        expected = source.size + (source.ends_with_line_feed is False and source.size > 0)
        if not source.is_compressed and total["bytes"] != expected:
            raise Failure(f"{source.file}: {total['bytes']} bytes of {expected} were read; did it change?")
        if not source.is_empty and total["splits"] == 0:
            raise Failure(f"{source.file}: nothing of it was read")
        if source.ends_with_line_feed is False and source.size > 0:
            notices.append(f"{source.file}: has no line feed at its end; the output has one")
        listed.append(
            {
                "file": source.file,
                "size": source.size,
                "isCompressed": source.is_compressed,
                "hasByteOrderMark": source.has_mark,
                "endsWithLineFeed": source.ends_with_line_feed,
                **total,
            }
        )
    return {"splits": len(splits), "sums": sums, "files": listed, "notices": notices}


def convert_files(
    spark: SparkSession,
    inputs: Sequence[str],
    out: str,
    options: str,
    *,
    utf8: Optional[str] = None,
    strict: bool = False,
    findings: bool = False,
) -> Json:
    """Converts files, folders and globs to the new folder `out`, and returns the content of its `_utf8.json`.

    `options` are those of `utf8 convert`, in one string. `utf8` is the path or name of the command; by default
    it is `utf8/utf8` from --archives, or else `utf8` on the PATH. `strict` fails at the first rejected record.
    `findings` also writes all findings, which takes a second pass of `utf8 scan` over the same lines.

    Raises Refusal if an option or a path makes no sense, and Failure if the conversion fails. Then `out` does
    not exist.

        totals = convert_files(spark, ["hdfs:///dump/orders"], "hdfs:///utf8/orders",
                               "--format copy --from cesu-8+utf-8")
        totals["sums"]["records"]  # {"in": 668000000, "out": 667999991, "rejected": 9, "changed": 1204}
    """
    parsed = Options(options)
    if findings and parsed.format is None:
        raise Refusal("--findings needs a --format in --options; plain text has no records")
    if re.search(r"[*?\[\]{}]", out):
        raise Refusal(f"{out}: the name of OUT may not contain any of * ? [ ] {{ }}")
    files = Files(spark)
    out = out.rstrip("/") or out
    if files.exists(out):
        raise Refusal(f"{out}: exists; choose a new folder, or remove it if it is from an interrupted run")
    for operand in inputs:
        files.expand(operand)
    session = _open_session(spark, parsed)
    lines = _read(session, inputs)
    sources = _list_sources(files, inputs, [_normalize(name) for name in lines.inputFiles()])
    version = _probe(session, utf8, parsed)
    marked = {source.file: True for source in sources if source.has_mark}
    plan = Plan(utf8, parsed, strict, findings, marked)
    # The process that creates this file owns OUT, and may remove it.
    claim = f"{out}/_utf8_claim"
    try:
        files.create(claim, spark.sparkContext.applicationId)
    except Exception as error:
        raise Refusal(f"{out}: cannot be written: {read_line(error)}") from None
    try:
        _write(lines, plan, out)
        totals = _sum_up(sources, _read_stats(session, files, out))
        _remove_late(spark, files, out)
        about: Json = {"utf8": version, "spark": spark.version, "options": options}
        if not parsed.ends_at_line_feeds:
            why = "its records may contain line feeds, or its first line is a header"
            totals["notices"].insert(0, f"--format {parsed.format}: each file was one task: {why}")
        result = {**about, **totals}
        files.create(f"{out}/_utf8.json", json.dumps(result, indent=1) + "\n")
        files.remove(claim)
        files.create(f"{out}/_SUCCESS", "")
        return result
    except BaseException as error:
        _clear(spark, files, out)
        if isinstance(error, Exception) and not isinstance(error, Failure):
            raise Failure(_explain(error, files)) from error
        raise


def _await_tasks(spark: SparkSession) -> None:
    """Waits until no task runs any more: one that Spark has told to stop takes a moment."""
    tracker = spark._jsc.sc().statusTracker()
    for _ in range(PATIENCE):
        if sum(each.numRunningTasks() for each in tracker.getExecutorInfos()) == 0:
            break
        time.sleep(0.1)


def _remove_late(spark: SparkSession, files: Files, out: str) -> None:
    """Removes files that later attempts have written since the commit, which has removed their folder."""
    if spark.sparkContext.getConf().get("spark.speculation", "false") == "true":
        _await_tasks(spark)
    files.remove(f"{out}/_temporary")


def _clear(spark: SparkSession, files: Files, out: str) -> None:
    """Removes OUT when no task writes to it any more."""
    _await_tasks(spark)
    files.remove(out)


def _probe(session: SparkSession, utf8: Optional[str], options: Options) -> str:
    """Returns the version of the command. Raises Refusal if an executor has none, or it refuses the options."""
    ship_module(__name__)
    try:
        rows = session.range(1).coalesce(1).mapInArrow(create_probe(utf8, options), "answer string").collect()
    except Exception as error:
        raise Refusal(find_sentence(error) or f"cannot start utf8: {read_line(error)}") from None
    answer = json.loads(rows[0][0])
    if answer["code"] != 0:
        said = re.sub(r"^utf8: |; see utf8 convert --help$", "", answer["said"])
        raise Refusal(f"--options: {said}" if said else f"utf8 ended with exit code {answer['code']}")
    return str(answer["version"])


def _write(lines: DataFrame, plan: Plan, out: str) -> None:
    """Converts, and commits the output of each task as a whole."""
    # The lower 33 bits count the rows of a task.
    is_first = F.monotonically_increasing_id().bitwiseAND(F.lit((1 << 33) - 1)) == 0
    place = F.concat_ws(" ", F.expr("input_file_block_start()"), F.input_file_name())
    rows = lines.select(F.col("value").cast("binary"), F.when(is_first, place).alias("split"))
    rows = rows.mapInArrow(create_task(plan), "kind string, value binary")
    settings = {
        "lineSep": "\n",
        "compression": "none",
        # Version 2 would leave the output of tasks when the job fails.
        "mapreduce.fileoutputcommitter.algorithm.version": "1",
        # Ours comes last, after the checks.
        "mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    }
    text = rows.select("kind", F.col("value").cast("string").alias("value"))
    text.write.mode("append").partitionBy("kind").options(**settings).text(out)


def _read_stats(session: SparkSession, files: Files, out: str) -> List[Json]:
    """Returns the counts of all splits; none if all inputs are empty."""
    folder = f"{out}/kind=stats"
    if not files.exists(folder):
        return []
    return [json.loads(row[0]) for row in session.read.text(folder).collect()]


def ship_module(name: str) -> None:
    """Lets a module be sent with the functions of its tasks, where it is imported and not run."""
    if name != "__main__":
        cloudpickle.register_pickle_by_value(sys.modules[name])  # type: ignore[no-untyped-call]


def find_sentence(error: Exception) -> Optional[str]:
    """Finds the sentence of a TaskFailure in Spark's error, which has the traceback of the worker in it."""
    found = re.search(r"\bTaskFailure: (.+)", str(error))
    return found.group(1).strip() if found else None


def read_line(error: Exception) -> str:
    """Describes an error of Spark or Java and its cause, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    messages = [line for line in lines if not re.match(r"An error occurred while calling|at |\.\.\. ", line)]
    causes = [line[len("Caused by: ") :] for line in lines if line.startswith("Caused by: ")]
    said = messages[:1] + [cause for cause in causes[-1:] if cause not in messages[:1]]
    # Names of classes and of conditions tell a user nothing.
    plain = [re.sub(r"^:? ?(\S*\.\w+(Exception|Error): )?(\[[A-Z_.]+\] )?|\.?  ?SQLSTATE: \w+$", "", each) for each in said]
    return ": ".join(each for each in plain if each) or type(error).__name__


def _explain(error: Exception, files: Files) -> str:
    """Returns the reason why a job failed, in one sentence."""
    sentence = find_sentence(error)
    if sentence is None:
        if "native zStandard library not available" in str(error):
            return "this Spark cannot read zstd without Hadoop's native library; use Spark 4.3, gzip or bzip2"
        return read_line(error)
    found = re.match(r"(\S+): split at byte (\d+), line \d+: .*?\boffset (\d+): ", sentence)
    if found is None:
        return sentence
    file, start, offset = found.groups()
    first = files.find_line_start(file, int(start))
    return sentence if first is None else f"{sentence} (byte {first + int(offset)} of the file)"


def _print_notices(notices: Sequence[str], out: str, most: int = 20) -> None:
    for notice in notices[:most]:
        print(f"utf8_spark: {notice}", file=sys.stderr)
    if len(notices) > most:
        print(f"utf8_spark: {len(notices) - most} more notices are in {out}/_utf8.json", file=sys.stderr)


def join_option(words: Sequence[str], name: str) -> List[str]:
    """Joins an option and its value, which argparse would read as an option if it begins with a hyphen."""
    joined = list(words)
    if name in joined[:-1]:
        at = joined.index(name)
        joined[at : at + 2] = [f"{name}={joined[at + 1]}"]
    return joined


def _create_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="utf8_spark.py",
        allow_abbrev=False,
        description="Convert text of any size with utf8 on Spark.",
        epilog="Exit codes: 0 success, including rejected records; 1 the job failed; 2 invalid command line.",
    )
    parser.add_argument("--options", required=True, help='options of utf8 convert, such as "--from cesu-8"')
    parser.add_argument("--utf8", help="the command [default: utf8/utf8 from --archives, or utf8 on the PATH]")
    parser.add_argument("--strict", action="store_true", help="fail at the first rejected record")
    parser.add_argument("--findings", action="store_true", help="write all findings to OUT/kind=findings")
    parser.add_argument("inputs", metavar="IN", nargs="+", help="files, folders and globs of any file system")
    parser.add_argument("out", metavar="OUT", help="a new folder")
    return parser


def main(words: Sequence[str]) -> int:
    """Runs a command line, prints the sums as JSON, and returns the exit code."""
    args = _create_parser().parse_args(join_option(words, "--options"))
    try:
        # Before Spark starts, which takes seconds.
        Options(args.options)
        spark = SparkSession.builder.appName("utf8").getOrCreate()
        totals = convert_files(
            spark,
            args.inputs,
            args.out,
            args.options,
            utf8=args.utf8,
            strict=args.strict,
            findings=args.findings,
        )
    except (Refusal, Failure) as error:
        print(f"utf8_spark: {error}", file=sys.stderr)
        return 2 if isinstance(error, Refusal) else 1
    _print_notices(totals["notices"], args.out)
    print(json.dumps(totals["sums"]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
