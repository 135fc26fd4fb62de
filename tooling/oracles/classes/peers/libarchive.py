"""Lists the names of a zip archive, as libarchive reads them: one line of UTF-8 in hexadecimal digits for each."""

import ctypes
import locale
import sys

locale.setlocale(locale.LC_ALL, "C.UTF-8")
library = ctypes.CDLL("libarchive.so.13")
for name in ("archive_read_new", "archive_entry_pathname_utf8"):
    getattr(library, name).restype = ctypes.c_void_p
archive = ctypes.c_void_p(library.archive_read_new())
library.archive_read_support_format_zip_seekable(archive)
if library.archive_read_open_filename(archive, sys.argv[1].encode(), 1 << 16) != 0:
    sys.exit("cannot open")
entry = ctypes.c_void_p()
while library.archive_read_next_header(archive, ctypes.byref(entry)) in (0, -20):
    path = library.archive_entry_pathname_utf8(entry)
    print(ctypes.string_at(path).hex() if path else "")
