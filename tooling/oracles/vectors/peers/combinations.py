"""Python's UTF-8 codec, and one rule more for each variant that Python does not have.

It speaks the protocol of the peers in tooling/oracles/interop, and answers with code points.
"""

import codecs
import platform
import re
import sys

PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def mend(error):
    try:
        return codecs.lookup_error("surrogatepass")(error)
    except UnicodeError:
        return codecs.lookup_error("replace")(error)


codecs.register_error("mend", mend)


class Fault(Exception):
    """The place of the first fault, and its length."""


def decode_wtf8(data, errors):
    """A pair in six bytes is two code points to surrogatepass, and one fault in WTF-8."""
    text = data.decode("utf-8", errors)
    pair = PAIR.search(text)
    if errors != "surrogatepass" or not pair:
        return PAIR.sub("\ufffd", text)
    raise Fault(len(text[: pair.start()].encode("utf-8", "surrogatepass")), 6)


def decode_android(data, errors):
    """C0 80 is U+0000, which Python refuses, and 00 is nothing, which Python accepts."""
    text = ""
    offset = 0
    for part in re.split(rb"(\xc0\x80)", data):
        try:
            is_nul = part == b"\xc0\x80"
            text += "\0" if is_nul else part.replace(b"\0", b"\xff").decode("utf-8", errors)
        except UnicodeDecodeError as error:
            raise Fault(offset + error.start, error.end - error.start) from error
        offset += len(part)
    return text


def decode_mb3(data, errors):
    """What the leads of four bytes begin is no sequence."""
    return re.sub(rb"[\xf0-\xf4]", b"\xff", data).decode("utf-8", errors)


OPERATIONS = {
    "wtf8.decode": (decode_wtf8, "surrogatepass"),
    "wtf8.replace": (decode_wtf8, "mend"),
    "android.decode": (decode_android, "surrogatepass"),
    "android.replace": (decode_android, "mend"),
    "mb3.decode": (decode_mb3, "strict"),
    "mb3.replace": (decode_mb3, "replace"),
}


def answer(name, data):
    decode, errors = OPERATIONS[name]
    try:
        return "ok " + "".join(f"{ord(char):08x}" for char in decode(data, errors))
    except Fault as fault:
        return f"fault {fault.args[0]} {fault.args[1]}"
    except UnicodeDecodeError as error:
        # A pair before it comes first.
        if name == "wtf8.decode" and (first := answer(name, data[: error.start])).startswith("f"):
            return first
        return f"fault {error.start} {error.end - error.start}"


for line in sys.stdin:
    name, _, digits = line.rstrip("\n").partition(" ")
    if not name:
        sys.stdout.flush()
    elif name == "about":
        print("ok", platform.python_implementation(), platform.python_version())
    elif name in OPERATIONS:
        print(answer(name, bytes.fromhex(digits)))
    else:
        print("unknown", name)
