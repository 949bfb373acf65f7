//! Moving everything from one store to another: account by account, whole or not at all.
//!
//! Sequences, digests and counts stay the same, so that tokens keep working and no account's month begins anew.
//! Sessions are not copied: their owners sign in again.

use async_trait::async_trait;
use kuraka_ports::StoreError;

use super::Store;

/// An account with all that is its own, as the tables hold it.
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
    pub(super) history: Vec<HistoryRecord>,
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
pub(super) struct HistoryRecord {
    pub(super) day: String,
    pub(super) operation: String,
    pub(super) code: String,
    pub(super) count: i64,
}

/// The latest sequences that were ever given, those of the erased included: none is given twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequences {
    pub(super) account: i64,
    pub(super) token: i64,
}

/// What a store holds, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Accounts.
    pub accounts: u64,
    /// Tokens, revoked ones included.
    pub tokens: u64,
    /// Months in which an account has used or leased queries.
    pub months: u64,
    /// Queries used or leased, in all months.
    pub used: u64,
    /// Rows of the history of calls.
    pub history: u64,
}

/// A store that can be counted, read out and filled: what the commands on whole stores need, and no server does.
#[async_trait]
pub trait CopyableStore: Store {
    /// What the store holds, counted.
    ///
    /// # Errors
    /// Those of the store.
    async fn contents(&self) -> Result<Contents, StoreError>;

    /// The store, to be read as it is now.
    ///
    /// # Errors
    /// Those of the store.
    async fn export(&self) -> Result<Box<dyn Export>, StoreError>;

    /// The store, to be filled.
    ///
    /// # Errors
    /// Those of the store.
    async fn import(&self) -> Result<Box<dyn Import>, StoreError>;
}

/// A store being read: one state of it, whatever others write meanwhile.
#[async_trait]
pub trait Export: Send {
    /// The account after this number; `None` = that was the last.
    async fn after(&mut self, account: i64) -> Result<Option<AccountRecord>, StoreError>;

    /// The latest sequences.
    async fn sequences(&mut self) -> Result<Sequences, StoreError>;
}

/// A store being filled: nothing is there until [`Import::finish`].
#[async_trait]
pub trait Import: Send {
    /// Adds an account.
    async fn put(&mut self, record: &AccountRecord) -> Result<(), StoreError>;

    /// Makes all of it there.
    async fn finish(self: Box<Self>, sequences: Sequences) -> Result<(), StoreError>;
}

/// Puts what `from` holds into `to`, which must be empty and is finished by the caller, with these sequences.
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
