//! What stores delete when it is old.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreResult;

/// Rows that are deleted with time, and the time that says how old they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldRows {
    /// Sessions, by their beginning.
    Sessions,
    /// Sessions, by their last recorded request.
    UnseenSessions,
    /// Revoked and expired tokens, by their end. [`crate::Tokens::changes`] does not report them: none is accepted.
    EndedTokens,
    /// Codes, by their end, except of mails that are attempted again.
    ExpiredCodes,
    /// Mails and their keys, by when they were added.
    Mails,
    /// Accounts that are not confirmed, by their latest sign-up.
    UnconfirmedAccounts,
    /// Deliveries that are not pending, by when they were made.
    Deliveries,
    /// Counts of calls, by their day in Peru.
    DailyUsage,
    /// Lists without a name, by the beginning of their latest run. A run that goes on keeps its list, unless its owner is
    /// suspended.
    Lists,
    /// As [`OldRows::Lists`], with a name.
    NamedLists,
    /// By when they were made.
    Certificates,
}

#[async_trait]
pub trait Retention: Send + Sync + 'static {
    /// Deletes rows that are older than this instant. Safe to call twice. `Unavailable`: some may be deleted.
    async fn delete_old(&self, rows: OldRows, before: Timestamp) -> StoreResult<()>;
}
