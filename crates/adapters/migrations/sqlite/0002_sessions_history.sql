-- Times are microseconds since 1970-01-01T00:00:00Z.

ALTER TABLE token ADD COLUMN last_used INTEGER;
ALTER TABLE token ADD COLUMN expires INTEGER;
-- Networks in CIDR notation with commas between them; empty = any.
ALTER TABLE token ADD COLUMN allowed TEXT NOT NULL DEFAULT '';

CREATE TABLE session (
    -- SHA-256 of the session's secret, which itself is never kept.
    digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
    account INTEGER NOT NULL REFERENCES account (id),
    begun INTEGER NOT NULL,
    seen INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_account ON session (account);

CREATE TABLE history (
    account INTEGER NOT NULL REFERENCES account (id),
    -- A day at UTC−05:00, YYYY-MM-DD.
    day TEXT NOT NULL,
    operation TEXT NOT NULL,
    code TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (account, day, operation, code)
) STRICT, WITHOUT ROWID;

CREATE INDEX history_by_day ON history (day);
