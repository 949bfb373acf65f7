"""Imports the padrón and the two lists into a new SQLite database:
load.py SCHEMA PADRON WITHHOLDING GOOD_TAXPAYERS DATABASE TOKEN

The text is windows-1252. TOKEN is the one Bearer token that app.py will accept.
"""

import hashlib
import pathlib
import sqlite3
import sys

COLUMNS = 15


def padron(path):
    with open(path, encoding="cp1252", errors="replace", newline="\n") as lines:
        next(lines)
        for line in lines:
            fields = line.split("|")
            if len(fields) != COLUMNS + 1:
                # A name may contain the separator.
                if len(fields) < COLUMNS + 1:
                    continue
                fields[1:-14] = ["|".join(fields[1:-14])]
            fields.pop()
            yield fields


def keys(path):
    with open(path, encoding="cp1252", errors="replace") as lines:
        next(lines)
        # The lists end their lines with a carriage return, which Python takes for a newline.
        for line in lines:
            yield (line[:11],)


schema, padron_path, withholding, good_taxpayers, database, token = sys.argv[1:]
connection = sqlite3.connect(database)
connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;")
connection.executescript(pathlib.Path(schema).read_text())
connection.executemany(f"INSERT INTO padron VALUES ({', '.join('?' * COLUMNS)})", padron(padron_path))
connection.executemany("INSERT OR IGNORE INTO retencion VALUES (?)", keys(withholding))
connection.executemany("INSERT OR IGNORE INTO buen_contribuyente VALUES (?)", keys(good_taxpayers))
connection.execute("INSERT INTO token VALUES (?)", [hashlib.sha256(token.encode()).digest()])
connection.execute("CREATE INDEX padron_ruc ON padron (ruc)")
connection.commit()
connection.execute("PRAGMA journal_mode = WAL")
connection.close()
