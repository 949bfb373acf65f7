//! Sessions of signed-in users. The store has only the digest of a session's secret.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{AccountId, SecretDigest, StoreResult};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    pub account: AccountId,
    pub begun: Timestamp,
    /// The latest recorded request.
    pub seen: Timestamp,
}

/// Stores sessions, whose end the application decides. Times are kept to the microsecond.
#[async_trait]
pub trait Sessions: Send + Sync + 'static {
    /// Begins a session of an active account whose password hash is `hash`, which was checked: a new password or a
    /// suspension also ends log-ins in progress. Ends the session `replaced`, of any account, in the same step. Not
    /// safe to call twice: the digest is unique. `Conflict` for a known digest, `Missing` without such an active
    /// account or with another hash.
    async fn begin(
        &self,
        digest: &SecretDigest,
        account: AccountId,
        hash: &str,
        now: Timestamp,
        replaced: Option<&SecretDigest>,
    ) -> StoreResult<()>;

    /// `None` = no such session.
    async fn find(&self, digest: &SecretDigest) -> StoreResult<Option<Session>>;

    /// Safe to call twice, also for an ended session.
    async fn note_seen(&self, digest: &SecretDigest, now: Timestamp) -> StoreResult<()>;

    /// Safe to call twice.
    async fn end(&self, digest: &SecretDigest) -> StoreResult<()>;
}
