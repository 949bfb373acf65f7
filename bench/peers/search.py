"""The first page of 20 companies by SQLite FTS5, as Kuraka's search has it.

search.py FOLDER reads companies.tsv and queries.tsv, builds SQLite's index beside them, checks that every page has
as many results as Kuraka's, and prints one `name value` a line. Each query's fastest of some runs counts.
"""

import sqlite3
import sys
import time
from pathlib import Path

PAGE, RUNS, QUERIES = 20, 5, 100
KINDS = ["prefix", "two_words", "rare_substring"]


def companies(folder):
    with open(folder / "companies.tsv", encoding="utf-8") as lines:
        for place, line in enumerate(lines):
            yield place, line.rstrip("\n").split("\t")


def sqlite(folder):
    database = folder / "search.db"
    database.unlink(missing_ok=True)
    connection = sqlite3.connect(database)
    connection.executescript("""
        PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA mmap_size = 17179869184;
        CREATE TABLE companies (place INTEGER PRIMARY KEY, active, folded, ruc, name, status, condition, address,
            department);
        CREATE VIRTUAL TABLE words USING fts5(folded, content='', detail=none, columnsize=0, prefix='3 4');
        CREATE VIRTUAL TABLE parts USING fts5(folded, content='', columnsize=0, tokenize='trigram');
    """)
    # The order of results is the order of the rows, so that a page needs no sort.
    connection.executemany("INSERT INTO companies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                           ([place, int(cells[0]), *cells[1:]] for place, cells in companies(folder)))
    for table in ["words", "parts"]:
        connection.execute(f"INSERT INTO {table} (rowid, folded) SELECT place, folded FROM companies")
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
    connection.execute("CREATE INDEX by_name ON companies (active, folded, place)")
    connection.commit()

    def match(table, text):
        return connection.execute(f"SELECT c.* FROM {table} JOIN companies c ON c.place = {table}.rowid "
                                  f"WHERE {table} MATCH ? ORDER BY {table}.rowid LIMIT {PAGE}", [text]).fetchall()

    def search(kind, words):
        if kind == "prefix":
            found = []
            for active in [1, 0]:
                found += connection.execute(
                    "SELECT * FROM companies WHERE active = ? AND folded >= ? AND folded < ? ORDER BY folded, place "
                    "LIMIT ?", [active, words, words + "\U0010ffff", PAGE - len(found)]).fetchall()
            return len(found)
        if kind == "two_words":
            return len(match("words", " ".join(f'"{word}"*' for word in words.split())))
        return len(match("parts", f'"{words}"'))

    return f"SQLite FTS5 {sqlite3.sqlite_version}", search


def main(folder):
    started = time.perf_counter()
    version, search = sqlite(folder)
    print("version", version)
    print("build_seconds", time.perf_counter() - started)
    with open(folder / "queries.tsv", encoding="utf-8") as lines:
        queries = [line.rstrip("\n").split("\t") for line in lines]
    for kind in KINDS:
        fastest = []
        for _, words, found in [query for query in queries if query[0] == kind][:QUERIES]:
            times = []
            for _ in range(RUNS):
                began = time.perf_counter()
                count = search(kind, words)
                times.append(time.perf_counter() - began)
                if count != int(found):
                    sys.exit(f"{version} finds {count} companies for {kind} {words!r}, Kuraka {found}")
            fastest.append(min(times))
        fastest.sort()
        for name, share in [("p50", 0.5), ("p99", 0.99)]:
            print(f"{kind}_{name}_microseconds", fastest[int((len(fastest) - 1) * share)] * 1e6)


main(Path(sys.argv[1]))
