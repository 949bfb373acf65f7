-- What each revision was about, so that servers drop only the credentials it made wrong. A revision without a row may
-- have been about anything: an older version made it, or its row is pruned.
CREATE TABLE change (
    -- The value of `revision` that this change made.
    number BIGINT PRIMARY KEY,
    -- An account with a new plan or status, or a deleted one.
    account BIGINT,
    -- A revoked token.
    token BIGINT,
    CHECK ((account IS NULL) <> (token IS NULL))
);
