"""ftfy as a peer: mojibake, in text that may be malformed. The protocol is described in ../README.md."""

import sys
from pathlib import Path

# Where .ci/run puts it.
sys.path.insert(0, str(Path(__file__).parents[4] / "node_modules" / ".cache" / "python"))

import ftfy  # noqa: E402


def fix(data):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = ftfy.guess_bytes(data)[0]
    return "ok " + ftfy.fix_encoding(text).encode("utf-8", "surrogatepass").hex()


OPERATIONS = {"about": lambda data: "ok ftfy " + ftfy.__version__, "fix": fix}


def main():
    out = sys.stdout
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line:
            name, _, digits = line.partition(" ")
            operation = OPERATIONS.get(name)
            out.write((operation(bytes.fromhex(digits)) if operation else "unknown " + name) + "\n")
        else:
            out.flush()
    out.flush()


main()
