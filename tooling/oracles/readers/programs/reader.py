"""CPython's utf-8 as a reader: reader.py ERRORS [--lines]. ../README.md has the protocol."""

import sys

errors = sys.argv[1]


def read(data):
    try:
        return data.decode("utf-8", errors).encode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None


if "--lines" in sys.argv:
    for line in sys.stdin:
        text = read(bytes.fromhex(line))
        print("-" if text is None else text.hex(), flush=True)
else:
    text = read(sys.stdin.buffer.read())
    if text is None:
        sys.exit(1)
    sys.stdout.buffer.write(text)
