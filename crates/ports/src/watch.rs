//! The RUCs that accounts watch.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_domain::Ruc;
use thiserror::Error;

use crate::{AccountId, Period, StoreResult, TokenKind};

/// The account's own code of a RUC, such as a supplier number: 1 to 40 characters, no control characters, no blanks at
/// the ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchCode(Box<str>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a code has at most 40 characters, and no control characters")]
pub struct WatchCodeError;

/// One of the two lists of an account: that of its test tokens is apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WatchListId {
    pub account: AccountId,
    /// The tokens that read and change it.
    pub kind: TokenKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedRuc {
    pub ruc: Ruc,
    pub code: Option<WatchCode>,
}

/// A RUC on a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchEntry {
    pub watched: WatchedRuc,
    /// In microseconds; stays while the RUC is on the list.
    pub added: Timestamp,
}

/// What a change of a list may add.
#[derive(Clone, Copy, Debug)]
pub struct WatchLimits {
    /// RUCs on the list.
    pub most: u64,
    /// Additions of the month that are free of charge.
    pub free: u64,
    /// Paid additions beyond those.
    pub paid: u64,
    /// When the RUCs are added.
    pub now: Timestamp,
    /// The month of `now`.
    pub month: Period,
}

/// The change would add more RUCs than are free or paid; nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{queries} of the added RUCs must be paid")]
pub struct UnpaidRucsError {
    /// What the change costs, the paid ones included.
    pub queries: u64,
}

/// What a change of a list did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchListChange {
    /// On the list now.
    pub total: u64,
    /// Not on the list before.
    pub added: u64,
    /// On the list before.
    pub removed: u64,
    /// Additions of the month that are still free of charge.
    pub free_left: u64,
}

/// All watched RUCs of an account: 8 bytes each, and the codes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchedSet {
    /// Rising.
    rucs: Vec<Ruc>,
    /// Where the code of each RUC ends.
    ends: Vec<u32>,
    codes: String,
}

/// [`crate::Accounts::delete`] deletes an account's lists.
#[async_trait]
pub trait WatchLists: Send + Sync + 'static {
    /// Adds RUCs, then removes others; a RUC in both is removed. A RUC added without a code keeps its own. Counts new
    /// RUCs that are not paid, except on a list of test tokens. Safe to call twice. `LimitReached` if the list would
    /// have more than `most` RUCs, and more than before; nothing is changed. `Missing` if there is no such account.
    async fn change(
        &self,
        list: WatchListId,
        add: &[WatchedRuc],
        remove: &[Ruc],
        limits: WatchLimits,
    ) -> StoreResult<Result<WatchListChange, UnpaidRucsError>>;

    /// Up to `limit` RUCs after `after`, rising, and the list's length, 0 without the account.
    async fn watched(&self, list: WatchListId, after: Option<Ruc>, limit: u32) -> StoreResult<(Vec<WatchEntry>, u64)>;

    async fn watched_set(&self, list: WatchListId) -> StoreResult<WatchedSet>;
}

impl WatchListId {
    /// The list of the account's live tokens and of its owner.
    pub const fn live(account: AccountId) -> Self {
        Self { account, kind: TokenKind::Live }
    }
}

impl WatchCode {
    /// Trimmed; `None` = nothing is left.
    ///
    /// # Errors
    /// [`WatchCodeError`].
    pub fn parse(text: &str) -> Result<Option<Self>, WatchCodeError> {
        let text = text.trim();
        if text.chars().count() > 40 || text.chars().any(char::is_control) {
            return Err(WatchCodeError);
        }
        Ok((!text.is_empty()).then(|| Self(text.into())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl WatchedSet {
    /// The RUC must be larger than all others.
    pub fn push(&mut self, watched: &WatchedRuc) {
        debug_assert!(self.rucs.last().is_none_or(|last| *last < watched.ruc));
        self.rucs.push(watched.ruc);
        self.codes.push_str(watched.code.as_ref().map_or("", WatchCode::as_str));
        // A million codes have at most 160 million bytes.
        self.ends.push(self.codes.len() as u32);
    }

    /// Rising.
    pub fn rucs(&self) -> &[Ruc] {
        &self.rucs
    }

    /// `None` = no code, or not watched.
    pub fn code(&self, ruc: Ruc) -> Option<&str> {
        let at = self.rucs.binary_search(&ruc).ok()?;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        let code = self.codes.get(start as usize..*self.ends.get(at)? as usize)?;
        (!code.is_empty()).then_some(code)
    }
}

impl FromIterator<WatchedRuc> for WatchedSet {
    /// Of equal RUCs, the first counts.
    fn from_iter<I: IntoIterator<Item = WatchedRuc>>(watched: I) -> Self {
        let mut all: Vec<_> = watched.into_iter().collect();
        all.sort_by_key(|watched| watched.ruc);
        all.dedup_by_key(|watched| watched.ruc);
        let mut set = Self::default();
        all.iter().for_each(|watched| set.push(watched));
        set
    }
}
