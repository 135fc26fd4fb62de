"""Compares Python's UTF-8 codec with the vectors: python3 run.py

Exits with 1 if a text, the offset or length of a first fault, or a number of U+FFFD differs.
"""

import json
import platform
import sys
from pathlib import Path

FILE = Path(__file__).parent / "../generated/vectors.json"


def decode(data):
    """Returns code points and None, or None and the offset and length of the first fault."""
    try:
        return [ord(char) for char in data.decode("utf-8")], None
    except UnicodeDecodeError as error:
        return None, (error.start, error.end - error.start)


def expected_result(variant):
    if variant["accepts"]:
        return variant["text"], None
    return None, (variant["fault"]["offset"], variant["fault"]["length"])


def main():
    vectors = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]
    failures = 0
    for vector in vectors:
        data = bytes.fromhex(vector["bytes"])
        variant = vector["variants"]["utf-8"]
        # "text" contains U+FFFD for each maximal subpart of malformed bytes.
        replaced = [ord(char) for char in data.decode("utf-8", "replace")]
        for what, actual, expected in [
            ("strict", decode(data), expected_result(variant)),
            ("replaced", replaced, variant["text"]),
        ]:
            if actual != expected:
                failures += 1
                print(f"{vector['id']}: {what}: {actual}, not {expected}")
    print(f"Python {platform.python_version()}: {len(vectors)} vectors, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
