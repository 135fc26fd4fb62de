"""Prints the STRING IN UTF8 records of a heap dump: the offset, the ID and the bytes of each, in hexadecimal digits."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    dump = file.read()
at = dump.index(b"\0") + 1
(size,) = struct.unpack_from(">I", dump, at)
at += 12
while at < len(dump):
    tag, _, length = struct.unpack_from(">BII", dump, at)
    if tag == 1:
        start = at + 9
        number = int.from_bytes(dump[start : start + size], "big")
        print(start + size, f"{number:#x}", dump[start + size : start + length].hex())
    at += 9 + length
