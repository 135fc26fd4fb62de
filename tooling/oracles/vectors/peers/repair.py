"""Python's UTF-8 codec with lone and paired halves let through, and U+FFFD for whatever else is wrong.

It speaks the protocol of the peers in tooling/oracles/interop.
"""

import codecs
import platform
import sys


def mend(error):
    try:
        return codecs.lookup_error("surrogatepass")(error)
    except UnicodeError:
        return codecs.lookup_error("replace")(error)


codecs.register_error("mend", mend)

for line in sys.stdin:
    name, _, digits = line.rstrip("\n").partition(" ")
    if not name:
        sys.stdout.flush()
    elif name == "about":
        print("ok", platform.python_implementation(), platform.python_version())
    elif name == "utf8.mend":
        text = bytes.fromhex(digits).decode("utf-8", "mend")
        print("ok", text.encode("utf-16-be", "surrogatepass").hex())
    else:
        print("unknown", name)
