//! Copies a whole store to another, account by account, in one transaction. Numbers, digests, counts and the tokens'
//! key stay the same, so tokens keep working and the month's usage is kept. Sessions, mails and
//! their codes are not copied.

use async_trait::async_trait;
use kuraka_ports::{StoreError, StoredValue, TokenKey};

use super::Store;

/// The copied tables and their columns, the account's number first. Rows refer only to earlier tables.
pub(super) const TABLES: [(&str, &str); 12] = [
    ("account", "id, email, plan, status, role, page, password_hash, created, watch_month, watch_free"),
    ("token", "account, id, name, digest, prefix, created, revoked, last_used, expires, allowed"),
    ("usage", "account, period, used, latest_lease, told"),
    ("history", "account, day, operation, code, count"),
    ("watched", "account, test, ruc, added, code"),
    (
        "kept_list",
        "account, id, name, note, created, ran, status, settings, source, bytes, items, done, batches, charged, \
         leased_until",
    ),
    ("kept_list_batch", "account, list, number, results"),
    ("certificate", "account, code, created, title, content"),
    ("digest", "account, link_code, rhythm, cursor, since, due"),
    (
        "webhook",
        "account, id, url, test, created, by_operator, status, secret, previous_secret, previous_until, cursor, \
         failures, failing_since, next_attempt, slow, lease, leased_until",
    ),
    (
        "delivery",
        "account, id, webhook, message, body, created, next_cursor, pending, attempts, attempted, took, http_status, \
         answer",
    ),
    (
        "audit",
        "account, id, email, time, expires, action, actor, actor_name, address, agent, object, value_before, \
         value_after, request_id",
    ),
];

/// Copied too, but of no account.
pub(super) const MEASURED: (&str, &str) = ("measured_hour", "server, number, hour, minutes, subjects");

/// What an account's data has beside [`TABLES`].
pub(super) const NOT_COPIED: [(&str, &str); 3] = [
    ("session", "account, begun, seen"),
    ("mail", "account, kind, recipient, about, created, due, attempts"),
    ("mail_code", "account, kind, mail, expires"),
];

/// Columns that an account's data does not have: with them its owner could be impersonated. `about` of a sign-up's mail has
/// a password hash.
pub(super) const SECRETS: [&str; 6] = ["password_hash", "digest", "secret", "previous_secret", "about", "link_code"];

/// An account's rows in each of [`TABLES`].
pub struct AccountRecord {
    pub(super) id: i64,
    pub(super) rows: [Vec<Vec<StoredValue>>; TABLES.len()],
}

/// What a store holds besides its accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRecord {
    pub(super) sequences: Sequences,
    pub(super) token_key: TokenKey,
    pub(super) measured: Vec<Vec<StoredValue>>,
}

/// The tables whose numbers are never reused.
pub(super) const NUMBERED: [&str; 5] = ["account", "token", "webhook", "delivery", "audit"];

/// The latest number in each table of [`NUMBERED`], deleted rows included.
pub(super) type Sequences = [i64; NUMBERED.len()];

/// Numbers of rows in a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    pub accounts: u64,
    /// Tokens, revoked ones included.
    pub tokens: u64,
    /// Pairs of account and month with used or leased queries.
    pub months: u64,
    /// Queries used or leased in all months.
    pub used: u64,
    /// Rows of the counts of calls.
    pub history: u64,
    /// Watched RUCs of all accounts.
    pub watched: u64,
    pub lists: u64,
    pub webhooks: u64,
}

/// A store that commands can count, export and import into.
#[async_trait]
pub trait CopyableStore: Store {
    /// Counts the rows of the store.
    async fn contents(&self) -> Result<Contents, StoreError>;

    /// Begins to export the store in its current state.
    async fn export(&self) -> Result<Box<dyn Export>, StoreError>;

    /// Begins to import into the store.
    async fn import(&self) -> Result<Box<dyn Import>, StoreError>;
}

/// A snapshot of the store, unaffected by later writes.
#[async_trait]
pub trait Export: Send {
    /// The account with the next larger number, if any. Of a deleted account, and of number 0, there are audit lines only.
    async fn after(&mut self, account: i64) -> Result<Option<AccountRecord>, StoreError>;

    /// The rest of the store.
    async fn record(&mut self) -> Result<StoreRecord, StoreError>;
}

/// An import: nothing is visible until [`Import::finish`].
#[async_trait]
pub trait Import: Send {
    async fn put(&mut self, record: &AccountRecord) -> Result<(), StoreError>;

    async fn finish(self: Box<Self>, record: StoreRecord) -> Result<(), StoreError>;
}

/// Copies all accounts to the empty store `to`, which the caller finishes with the returned record.
///
/// # Errors
/// Any error of the stores.
pub async fn transfer(from: &mut dyn Export, to: &mut dyn Import) -> Result<StoreRecord, StoreError> {
    let mut last = i64::MIN;
    while let Some(record) = from.after(last).await? {
        to.put(&record).await?;
        last = record.id;
    }
    from.record().await
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sqlx::{Connection, SqliteConnection};

    use super::*;

    #[tokio::test]
    async fn every_column_of_the_copied_tables_is_copied() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        sqlx::raw_sql(include_str!("../../migrations/sqlite/0001_schema.sql")).execute(&mut connection).await.unwrap();
        for (table, columns) in TABLES.into_iter().chain([MEASURED]) {
            let schema: Vec<String> = sqlx::query_scalar("SELECT name FROM pragma_table_info($1)")
                .bind(table)
                .fetch_all(&mut connection)
                .await
                .unwrap();
            let copied: BTreeSet<&str> = columns.split(", ").collect();
            assert_eq!(copied, schema.iter().map(String::as_str).collect(), "{table}");
        }
        // Of all tables that belong to accounts; `change` has the latest changes for caches.
        let owned: Vec<String> = sqlx::query_scalar(
            "SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c ON c.name = 'account'
             WHERE m.type = 'table' AND m.name <> 'change' ORDER BY 1",
        )
        .fetch_all(&mut connection)
        .await
        .unwrap();
        let known: BTreeSet<&str> = TABLES.iter().chain(&NOT_COPIED).map(|(table, _)| *table).collect();
        let owned: BTreeSet<&str> = owned.iter().map(String::as_str).chain(["account"]).collect();
        assert_eq!(owned, known);
    }
}
