"""Python's UTF-8 codec as a peer. The protocol is described in ../README.md."""

import platform
import sys


def units(text):
    """The code units of a text, lone surrogates included, in hexadecimal digits."""
    return text.encode("utf-16-be", "surrogatepass").hex()


def decode(errors):
    return lambda data: "ok " + units(data.decode("utf-8", errors))


def encode(errors):
    def answer(data):
        text = data.decode("utf-16-be", "surrogatepass")
        try:
            return "ok " + text.encode("utf-8", errors).hex()
        except UnicodeEncodeError as error:
            # Python counts code points, the protocol code units.
            return f"fault {len(units(text[: error.start])) // 4} {error.end - error.start}"

    return answer


OPERATIONS = {
    "about": lambda data: "ok " + platform.python_implementation() + " " + platform.python_version(),
    "utf8.decode": decode("strict"),
    "utf8.replace": decode("replace"),
    "utf8.surrogatepass": decode("surrogatepass"),
    "utf8.surrogateescape": decode("surrogateescape"),
    "utf8.backslashreplace": decode("backslashreplace"),
    "utf8.encode": encode("strict"),
    "utf8.encode-backslashreplace": encode("backslashreplace"),
    "utf8.encode-surrogatepass": encode("surrogatepass"),
}


def answer(line):
    name, _, digits = line.partition(" ")
    operation = OPERATIONS.get(name)
    if operation is None:
        return "unknown " + name
    try:
        return operation(bytes.fromhex(digits))
    except UnicodeDecodeError as error:
        return f"fault {error.start} {error.end - error.start}"


def main():
    out = sys.stdout
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line:
            out.write(answer(line) + "\n")
        else:
            out.flush()
    out.flush()


main()
