-- Times are microseconds since 1970-01-01T00:00:00Z.

CREATE TABLE account (
    -- AUTOINCREMENT: the number of a deleted account is never given to another.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'unconfirmed')),
    role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'operator')),
    -- Random; names the account in the addresses of the operator's pages.
    page BLOB NOT NULL UNIQUE DEFAULT (randomblob(16)) CHECK (length(page) = 16),
    -- A PHC string; NULL until a password is set.
    password_hash TEXT,
    -- The month in which RUCs were last added to its list, YYYY-MM, and how many were added in it free of charge.
    watch_month TEXT NOT NULL DEFAULT '',
    watch_free INTEGER NOT NULL DEFAULT 0,
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
    revoked INTEGER,
    last_used INTEGER,
    expires INTEGER,
    -- Networks in CIDR notation with commas between them; empty = any.
    allowed TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX token_by_account ON token (account);
-- Find the tokens that ended long ago without reading the others.
CREATE INDEX token_by_revocation ON token (revoked) WHERE revoked IS NOT NULL;
CREATE INDEX token_by_expiry ON token (expires) WHERE expires IS NOT NULL;

-- One row: the key of the checksums of all tokens. Made here, so that processes that open a new store together get the
-- same key.
CREATE TABLE token_key (
    sole INTEGER PRIMARY KEY CHECK (sole = 1),
    bytes BLOB NOT NULL CHECK (length(bytes) = 32)
) STRICT;

INSERT INTO token_key (sole, bytes) VALUES (1, randomblob(32));

CREATE TABLE usage (
    account INTEGER NOT NULL REFERENCES account (id),
    -- A calendar month at UTC−05:00, YYYY-MM.
    period TEXT NOT NULL,
    -- Queries used or leased.
    used INTEGER NOT NULL CHECK (used >= 0),
    -- The size of the latest lease, because RETURNING cannot see the row as it was.
    latest_lease INTEGER NOT NULL,
    -- The percentage and the plan's queries of which the account was told last; empty = of none.
    told TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (account, period)
) STRICT, WITHOUT ROWID;

CREATE INDEX usage_by_period ON usage (period);

-- One row, which increases with every change that makes a cached credential wrong.
CREATE TABLE revision (
    sole INTEGER PRIMARY KEY CHECK (sole = 1),
    value INTEGER NOT NULL,
    -- Random: a store that lost its latest changes in a failover gives their values again, with other epochs.
    epoch INTEGER NOT NULL,
    -- The epoch of the value before.
    previous INTEGER NOT NULL
) STRICT;

INSERT INTO revision (sole, value, epoch, previous) VALUES (1, 1, random(), 0);

-- What each revision changed, so that servers drop only the credentials that it made wrong. A revision without a row
-- may have changed anything: a copy of a whole store made it, or its row is pruned.
CREATE TABLE change (
    -- The value of `revision` that this change made.
    number INTEGER PRIMARY KEY,
    -- The epoch of the revision before.
    previous INTEGER NOT NULL,
    -- An account with a new plan or status, or a deleted one.
    account INTEGER,
    -- A revoked token.
    token INTEGER,
    CHECK ((account IS NULL) <> (token IS NULL))
) STRICT;

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

-- The RUCs that accounts watch.
CREATE TABLE watched (
    account INTEGER NOT NULL REFERENCES account (id),
    -- 1 = the list of the account's test tokens.
    test INTEGER NOT NULL DEFAULT 0 CHECK (test IN (0, 1)),
    ruc INTEGER NOT NULL,
    added INTEGER NOT NULL,
    -- The account's own code of the RUC.
    code TEXT,
    PRIMARY KEY (account, test, ruc)
) STRICT, WITHOUT ROWID;

-- Lists that accounts keep.
CREATE TABLE kept_list (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    account INTEGER NOT NULL REFERENCES account (id),
    name TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    created INTEGER NOT NULL,
    -- When the latest run began.
    ran INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'read',
    -- JSON of the panel: how the list is read and looked up.
    settings TEXT NOT NULL,
    -- The compressed cells of the file.
    source BLOB NOT NULL,
    -- Of the source and of all results.
    bytes INTEGER NOT NULL,
    items INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    batches INTEGER NOT NULL DEFAULT 0,
    charged INTEGER NOT NULL DEFAULT 0,
    -- One server looks the items up until then.
    leased_until INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX kept_list_by_account ON kept_list (account, created);
CREATE INDEX kept_list_by_lease ON kept_list (leased_until) WHERE status = 'running';
CREATE INDEX kept_list_by_run ON kept_list (ran);

-- Results of a run, in batches. A batch is written with its charge.
CREATE TABLE kept_list_batch (
    account INTEGER NOT NULL REFERENCES account (id),
    list BLOB NOT NULL REFERENCES kept_list (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    -- Compressed JSON.
    results BLOB NOT NULL,
    PRIMARY KEY (list, number)
) STRICT;

CREATE INDEX kept_list_batch_by_account ON kept_list_batch (account);

-- What accounts had certified, for whoever has the code.
CREATE TABLE certificate (
    code BLOB PRIMARY KEY CHECK (length(code) = 16),
    account INTEGER NOT NULL REFERENCES account (id),
    created INTEGER NOT NULL,
    title TEXT NOT NULL,
    -- Compressed JSON of the panel.
    content BLOB NOT NULL
) STRICT;

CREATE INDEX certificate_by_account ON certificate (account, created);
CREATE INDEX certificate_by_time ON certificate (created);

-- Mails. Of one that is not attempted again only its key stays.
CREATE TABLE mail (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Deleted with it; NULL = none.
    account INTEGER REFERENCES account (id),
    kind TEXT NOT NULL,
    recipient TEXT NOT NULL,
    -- What its text needs.
    about TEXT NOT NULL,
    -- Of the mails with the same key only the first is sent.
    once TEXT UNIQUE,
    created INTEGER NOT NULL,
    -- When the next attempt is due; NULL = never.
    due INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX mail_by_turn ON mail (due) WHERE due IS NOT NULL;
CREATE INDEX mail_by_account ON mail (account);

-- Codes of mailed links.
CREATE TABLE mail_code (
    -- SHA-256 of the code, which itself is never kept.
    digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
    account INTEGER NOT NULL REFERENCES account (id),
    kind TEXT NOT NULL,
    -- The address of its mail, which its account has or gets.
    email TEXT NOT NULL,
    expires INTEGER NOT NULL,
    -- The number of its mail. An attempt to send it replaces the code of the attempt before.
    mail INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

CREATE INDEX mail_code_by_account ON mail_code (account);

-- Mails of the changes of watched RUCs.
CREATE TABLE digest (
    account INTEGER PRIMARY KEY REFERENCES account (id),
    -- Of the link that ends it. Itself, because every mail repeats it.
    link_code TEXT NOT NULL UNIQUE,
    rhythm TEXT NOT NULL CHECK (rhythm IN ('off', 'daily', 'immediate')),
    -- The position in the feed of changes up to which its account is told.
    cursor TEXT NOT NULL,
    since INTEGER NOT NULL,
    -- When it is looked at next; NULL = it is off.
    due INTEGER
) STRICT;

CREATE INDEX digest_by_turn ON digest (due) WHERE due IS NOT NULL;

CREATE TABLE webhook (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES account (id),
    url TEXT NOT NULL,
    created INTEGER NOT NULL,
    -- 1 = it gets only tests.
    test INTEGER NOT NULL DEFAULT 0 CHECK (test IN (0, 1)),
    -- 1 if the operator created it: it may be in an allowed network.
    by_operator INTEGER NOT NULL DEFAULT 0 CHECK (by_operator IN (0, 1)),
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'gone', 'failed')),
    -- The secret itself, because the server signs with it.
    secret TEXT NOT NULL,
    -- Signs too, until `previous_until`.
    previous_secret TEXT,
    previous_until INTEGER,
    -- The position in the feed of changes up to which changes are delivered.
    cursor TEXT NOT NULL,
    -- Attempts that failed since the last success, and when the first of them failed.
    failures INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER,
    -- When the pending delivery is attempted; NULL = none is pending.
    next_attempt INTEGER,
    -- 1 if the last attempt failed or was slow: others are leased first.
    slow INTEGER NOT NULL DEFAULT 0 CHECK (slow IN (0, 1)),
    -- The number of the latest lease. Only the server that has it may write, until `leased_until`.
    lease INTEGER NOT NULL DEFAULT 0,
    leased_until INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX webhook_by_account ON webhook (account);
-- The order in which webhooks are leased, with what says whether one is due.
CREATE INDEX webhook_by_turn ON webhook (slow, leased_until, next_attempt, cursor, account)
    WHERE status = 'active' AND test = 0;

CREATE TABLE delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES account (id),
    webhook INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    -- The header `webhook-id` of every attempt.
    message TEXT NOT NULL,
    body TEXT NOT NULL,
    created INTEGER NOT NULL,
    -- The webhook's cursor after it; NULL = a test, which moves no cursor.
    next_cursor TEXT,
    -- 1 until it is delivered.
    pending INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    -- The latest attempt: when, its milliseconds, the HTTP status, and the answer. Without a status the answer is the
    -- reason why there was none.
    attempted INTEGER,
    took INTEGER,
    http_status INTEGER,
    answer TEXT
) STRICT;

CREATE UNIQUE INDEX delivery_pending ON delivery (webhook) WHERE pending = 1;
CREATE INDEX delivery_by_webhook ON delivery (webhook, id);
CREATE INDEX delivery_by_account ON delivery (account);
CREATE INDEX delivery_by_age ON delivery (created) WHERE pending = 0;

-- What servers measured of themselves. Minutes are bits.
CREATE TABLE measured_hour (
    -- One run of a server, and its records in order.
    server BLOB NOT NULL CHECK (length(server) = 16),
    number INTEGER NOT NULL,
    -- Hours since 1970-01-01T00:00:00Z.
    hour INTEGER NOT NULL,
    minutes INTEGER NOT NULL,
    -- JSON: calls, failures and times by operation and source.
    subjects TEXT NOT NULL,
    PRIMARY KEY (server, number)
) STRICT;

CREATE INDEX measured_hour_by_hour ON measured_hour (hour);

-- The audit log. Lines are added and read, never changed, and deleted only once they have expired.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- 0 = none. No reference: a line outlives its account.
    account INTEGER NOT NULL,
    -- The account's address at that time.
    email TEXT,
    time INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL CHECK (actor IN ('account', 'operator', 'command', 'system')),
    -- Of an operator, the address; of a command, the user.
    actor_name TEXT,
    address TEXT,
    agent TEXT,
    object TEXT NOT NULL,
    value_before TEXT,
    value_after TEXT,
    request_id TEXT
) STRICT;

CREATE INDEX audit_by_account ON audit (account, id);
CREATE INDEX audit_by_expiry ON audit (expires);

CREATE TRIGGER audit_update BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'lines of the audit log are never changed'); END;

CREATE TRIGGER audit_replace BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN SELECT raise(ABORT, 'lines of the audit log are never changed'); END;

CREATE TRIGGER audit_delete BEFORE DELETE ON audit
WHEN OLD.expires > CAST(unixepoch('subsec') * 1000000 AS INTEGER)
BEGIN SELECT raise(ABORT, 'only expired lines of the audit log are deleted'); END;
