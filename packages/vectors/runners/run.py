"""Holds Python's UTF-8 codec against the vectors: python3 run.py

Exits with 1 where it reads an input otherwise than UTF-8 does, says another place or length of the
first fault, or writes another number of U+FFFD.
"""

import json
import platform
import sys
from pathlib import Path

FILE = Path(__file__).parent / "../generated/vectors.json"


def decode(data):
    """The code points of well-formed bytes, and None; or None, and where the first fault is."""
    try:
        return [ord(char) for char in data.decode("utf-8")], None
    except UnicodeDecodeError as error:
        return None, (error.start, error.end - error.start)


def expectation(reading):
    if reading["accepts"]:
        return reading["text"], None
    return None, (reading["fault"]["offset"], reading["fault"]["length"])


def main():
    vectors = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]
    failures = 0
    for vector in vectors:
        data = bytes.fromhex(vector["bytes"])
        reading = vector["variants"]["utf-8"]
        # Of malformed bytes, "text" has U+FFFD for each maximal subpart.
        replaced = [ord(char) for char in data.decode("utf-8", "replace")]
        for what, actual, expected in [
            ("strict", decode(data), expectation(reading)),
            ("replaced", replaced, reading["text"]),
        ]:
            if actual != expected:
                failures += 1
                print(f"{vector['id']}: {what}: {actual}, not {expected}")
    print(f"Python {platform.python_version()}: {len(vectors)} vectors, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
