//! Copies a whole store to another, account by account, in one transaction. Numbers, digests, counts and the tokens'
//! key stay the same, so tokens keep working and the month's usage is kept. Sessions, mails and
//! their codes are not copied.

use async_trait::async_trait;
use kuraka_ports::{StoreResult, StoredRow, TokenKey};

/// The copied tables. Rows refer only to earlier tables.
pub(super) const TABLES: [&str; 12] = [
    "account",
    "token",
    "usage",
    "history",
    "watched",
    "kept_list",
    "kept_list_batch",
    "certificate",
    "digest",
    "webhook",
    "delivery",
    "audit",
];

/// Copied too, but of no account.
pub(super) const MEASURED: &str = "measured_hour";

/// What an account's data has beside [`TABLES`], with the columns.
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
    pub(super) rows: [Vec<StoredRow>; TABLES.len()],
}

/// What a store holds besides its accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRecord {
    pub(super) sequences: Sequences,
    pub(super) token_key: TokenKey,
    pub(super) measured: Vec<StoredRow>,
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

/// A snapshot of the store, unaffected by later writes.
#[async_trait]
pub trait Export: Send {
    /// The account with the next larger number, if any. Of a deleted account, and of number 0, there are audit lines only.
    async fn after(&mut self, account: i64) -> StoreResult<Option<AccountRecord>>;

    /// The rest of the store.
    async fn record(&mut self) -> StoreResult<StoreRecord>;
}

/// An import: nothing is visible until [`Import::finish`].
#[async_trait]
pub trait Import: Send {
    async fn put(&mut self, record: &AccountRecord) -> StoreResult<()>;

    async fn finish(self: Box<Self>, record: StoreRecord) -> StoreResult<()>;
}

/// Copies all accounts to the empty store `to`, which the caller finishes with the returned record.
///
/// # Errors
/// Any error of the stores.
pub async fn transfer(from: &mut dyn Export, to: &mut dyn Import) -> StoreResult<StoreRecord> {
    let mut last = i64::MIN;
    while let Some(record) = from.after(last).await? {
        to.put(&record).await?;
        last = record.id;
    }
    from.record().await
}
