"""Repairs CESU-8 in an SQLite table, as a careful script would: python3 repair.py DATABASE"""
import sqlite3
import sys


def repair(value):
    text = value.decode("utf-8", "surrogatepass")
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


database = sqlite3.connect(sys.argv[1])
database.create_function("repair", 1, repair, deterministic=True)
with database:
    for column in ("author", "body"):
        database.execute(
            f"UPDATE posts SET {column} = repair(CAST({column} AS BLOB))"
            f" WHERE instr(CAST({column} AS BLOB), x'ED') > 0"
        )
