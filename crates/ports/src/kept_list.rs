//! Lists that accounts keep: what was read from a file, and the results that were paid for.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{Account, AccountId, Period, StoreResult};

/// The random number of a list, which its address has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ListId(pub [u8; 16]);

crate::words! {
    pub enum ListStatus {
        /// It was read, and nothing is looked up yet.
        Read = "read",
        /// The server looks its items up.
        Running = "running",
        /// Every item has a result.
        Done = "done",
        /// Its owner stopped the run.
        Stopped = "stopped",
        /// The plan has no queries left for the other items.
        Exhausted = "exhausted",
        /// The sources did not answer about the other items.
        Unanswered = "unanswered",
        /// The results of the other items do not fit into what the account may keep.
        Full = "full",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptList {
    pub id: ListId,
    pub account: AccountId,
    /// The owner's name for it; may be empty.
    pub name: String,
    /// The owner's note; may be empty.
    pub note: String,
    pub created: Timestamp,
    /// When the latest run began; until then, when the list was read. It tells one run from the next.
    pub ran: Timestamp,
    pub status: ListStatus,
    /// How it is read and looked up, in the words of the panel.
    pub settings: String,
    pub items: u64,
    pub done: u64,
    pub batches: u64,
    pub charged: u64,
}

#[derive(Clone, Debug)]
pub struct NewList {
    pub id: ListId,
    pub account: AccountId,
    /// See [`KeptList::settings`].
    pub settings: String,
    /// The compressed cells of the file.
    pub source: Vec<u8>,
    /// The list that this one is a copy of, which does not make room for it.
    pub copy_of: Option<ListId>,
    pub now: Timestamp,
}

#[derive(Clone, Debug)]
pub enum ListChange {
    /// Other settings, of a list that was never looked up.
    Settings(String),
    /// A new run, of a list that is not running. The results of the run before are deleted.
    Run {
        /// When the run before began, as its owner saw it: a form that is sent twice begins one run.
        after: Timestamp,
        /// See [`KeptList::settings`].
        settings: String,
        items: u64,
        /// What is kept of the run before, as the first batch of results; empty = nothing.
        before: Vec<u8>,
        /// When it begins: later than the run before.
        now: Timestamp,
    },
    /// The run goes on where it stopped.
    Continue,
    /// The run stops. A batch in progress is neither stored nor charged.
    Stop,
    Name {
        name: String,
        note: String,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct ListBounds {
    pub lists: u64,
    /// The most bytes of contents and results.
    pub bytes: u64,
}

/// Results of a run, with their price.
#[derive(Clone, Debug)]
pub struct NewBatch<'a> {
    /// The list as it was before: of another state of it, nothing is stored.
    pub list: &'a KeptList,
    pub results: Vec<u8>,
    pub items: u64,
    pub status: ListStatus,
    pub queries: u64,
    pub period: Period,
    /// The plan's queries in the month.
    pub limit: u64,
    /// The end of the lease after them.
    pub until: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchOutcome {
    Stored,
    /// The month has too few queries left. Nothing was stored or charged.
    Exhausted,
    /// The run has ended, or another server has stored this batch. Nothing was stored or charged.
    Superseded,
}

/// [`crate::Accounts::delete`] deletes an account's lists.
#[async_trait]
pub trait KeptLists: Send + Sync + 'static {
    /// Stores a new list. Lists without a name that are not running make room, the oldest first. Not safe to call
    /// twice. `LimitReached` if there is no room, `Missing` if there is no such account.
    async fn add_list(&self, new: &NewList, bounds: ListBounds) -> StoreResult<()>;

    /// The newest first.
    async fn lists(&self, account: AccountId) -> StoreResult<Vec<KeptList>>;

    /// A list of the account; `None` = it has no such list.
    async fn list(&self, account: AccountId, id: ListId) -> StoreResult<Option<KeptList>>;

    /// What was read, and the batches of results in their order, both compressed; `None` = the account has no such
    /// list.
    async fn list_contents(&self, account: AccountId, id: ListId) -> StoreResult<Option<(Vec<u8>, Vec<Vec<u8>>)>>;

    /// Changes a list of the account; `false` = it has no such list, or its status does not allow the change. Safe to
    /// call twice.
    async fn change_list(&self, account: AccountId, id: ListId, change: &ListChange) -> StoreResult<bool>;

    /// Deletes a list of the account with its results; `false` = it has no such list. Safe to call twice.
    async fn delete_list(&self, account: AccountId, id: ListId) -> StoreResult<bool>;

    /// Leases the running list that has waited longest, until `until`, with its owner, which is active. One of several
    /// servers gets it. `None` = none waits.
    async fn lease_list(&self, now: Timestamp, until: Timestamp) -> StoreResult<Option<(KeptList, Account)>>;

    /// Stores the results of a batch and counts their price as used, both or neither, even if the server is killed.
    /// `LimitReached` if there is no room: nothing was stored or charged. `Unavailable`: it may have been both.
    async fn add_batch(&self, batch: &NewBatch<'_>, bounds: ListBounds) -> StoreResult<BatchOutcome>;

    /// Sets status and lease of a run, unless the list has changed; `false` = it has.
    async fn set_run(&self, list: &KeptList, status: ListStatus, until: Timestamp) -> StoreResult<bool>;
}

impl ListId {
    /// Parses 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let is_plain = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_plain.then(|| u128::from_str_radix(text, 16).ok()).flatten().map(|number| Self(number.to_be_bytes()))
    }
}

impl fmt::Display for ListId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl ListStatus {
    /// Whether the run ended before its last item.
    #[must_use]
    pub const fn is_interrupted(self) -> bool {
        matches!(self, Self::Stopped | Self::Exhausted | Self::Unanswered | Self::Full)
    }
}
