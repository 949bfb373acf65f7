-- Times are microseconds since 1970-01-01T00:00:00Z.

CREATE TABLE account (
    -- AUTOINCREMENT: the number of an account that is gone is never given to another.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
    -- A PHC string; NULL until a password is set.
    password_hash TEXT,
    created INTEGER NOT NULL
) STRICT;

CREATE TABLE token (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES account (id),
    name TEXT NOT NULL,
    -- SHA-256 of the token's text, which itself is never kept.
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    prefix TEXT NOT NULL,
    created INTEGER NOT NULL,
    revoked INTEGER
) STRICT;

CREATE INDEX token_by_account ON token (account);

CREATE TABLE usage (
    account INTEGER NOT NULL REFERENCES account (id),
    -- A calendar month at UTC−05:00, YYYY-MM.
    period TEXT NOT NULL,
    -- Queries used or leased.
    used INTEGER NOT NULL CHECK (used >= 0),
    -- The size of the latest lease, because RETURNING cannot see the row as it was.
    latest_lease INTEGER NOT NULL,
    PRIMARY KEY (account, period)
) STRICT, WITHOUT ROWID;

-- One row, which moves with every change that makes a cached credential wrong.
CREATE TABLE revision (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    value INTEGER NOT NULL
) STRICT;

INSERT INTO revision (only, value) VALUES (1, 1);
