//! Copies a whole store to another, account by account, in one transaction.
//!
//! Numbers, digests and counts stay the same, so that tokens keep working and the month's usage is kept. Sessions are
//! not copied: their owners sign in again.

use async_trait::async_trait;
use kuraka_ports::StoreError;

use super::Store;

/// An account with its tokens, usage and counts of calls, as the tables hold them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRecord {
    pub(super) id: i64,
    pub(super) email: String,
    pub(super) plan: String,
    pub(super) status: String,
    pub(super) password_hash: Option<String>,
    pub(super) created: i64,
    pub(super) tokens: Vec<TokenRecord>,
    pub(super) usage: Vec<UsageRecord>,
    pub(super) daily_usage: Vec<DailyUsageRecord>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TokenRecord {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) digest: Vec<u8>,
    pub(super) prefix: String,
    pub(super) created: i64,
    pub(super) revoked: Option<i64>,
    pub(super) last_used: Option<i64>,
    pub(super) expires: Option<i64>,
    pub(super) allowed: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UsageRecord {
    pub(super) period: String,
    pub(super) used: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DailyUsageRecord {
    pub(super) day: String,
    pub(super) operation: String,
    pub(super) code: String,
    pub(super) count: i64,
}

/// The latest numbers given to an account and to a token, deleted ones included. No number is given twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequences {
    pub(super) account: i64,
    pub(super) token: i64,
}

/// Numbers of rows in a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Accounts.
    pub accounts: u64,
    /// Tokens, revoked ones included.
    pub tokens: u64,
    /// Pairs of account and month with used or leased queries.
    pub months: u64,
    /// Queries used or leased in all months.
    pub used: u64,
    /// Rows of the counts of calls.
    pub history: u64,
}

/// A store that can be counted, exported and imported into. Commands need this; servers do not.
#[async_trait]
pub trait CopyableStore: Store {
    /// Counts the rows of the store.
    ///
    /// # Errors
    /// Those of the store.
    async fn contents(&self) -> Result<Contents, StoreError>;

    /// Begins to export the store in its current state.
    ///
    /// # Errors
    /// Those of the store.
    async fn export(&self) -> Result<Box<dyn Export>, StoreError>;

    /// Begins to import into the store.
    ///
    /// # Errors
    /// Those of the store.
    async fn import(&self) -> Result<Box<dyn Import>, StoreError>;
}

/// An export: a snapshot of the store, unaffected by later writes.
#[async_trait]
pub trait Export: Send {
    /// The account with the next larger number; `None` = there are no more.
    async fn after(&mut self, account: i64) -> Result<Option<AccountRecord>, StoreError>;

    /// The latest numbers given to an account and to a token.
    async fn sequences(&mut self) -> Result<Sequences, StoreError>;
}

/// An import: nothing is visible until [`Import::finish`].
#[async_trait]
pub trait Import: Send {
    /// Adds an account.
    async fn put(&mut self, record: &AccountRecord) -> Result<(), StoreError>;

    /// Commits the import.
    async fn finish(self: Box<Self>, sequences: Sequences) -> Result<(), StoreError>;
}

/// Copies all accounts from `from` to `to`, which must be empty. The caller finishes `to` with the returned sequences.
///
/// # Errors
/// Those of the stores.
pub async fn transfer(from: &mut dyn Export, to: &mut dyn Import) -> Result<Sequences, StoreError> {
    let mut last = i64::MIN;
    while let Some(record) = from.after(last).await? {
        to.put(&record).await?;
        last = record.id;
    }
    from.sequences().await
}
