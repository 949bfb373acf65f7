//! Sessions of people who are signed in, known by the digest of a secret that only their browser holds.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{AccountId, StoreError};

/// SHA-256 of a session's secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionDigest(pub [u8; 32]);

/// A session, as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// Who is signed in.
    pub account: AccountId,
    /// Since when.
    pub begun: Timestamp,
    /// When it was last seen, as far as was noted.
    pub seen: Timestamp,
}

/// Stores sessions. The application decides how long one is good for. Times are kept to the microsecond.
#[async_trait]
pub trait Sessions: Send + Sync + 'static {
    /// Keeps a new session. Not safe to call twice: the digest is unique.
    ///
    /// # Errors
    /// `Conflict` for a known digest, `Missing` without the account, `Unavailable`.
    async fn begin(&self, digest: &SessionDigest, account: AccountId, now: Timestamp) -> Result<(), StoreError>;

    /// The session with this digest; `None` = there is none.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn find(&self, digest: &SessionDigest) -> Result<Option<Session>, StoreError>;

    /// Notes that a session was seen. Safe to call twice, also for one that has ended.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn note_seen(&self, digest: &SessionDigest, now: Timestamp) -> Result<(), StoreError>;

    /// Ends a session. Safe to call twice.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn end(&self, digest: &SessionDigest) -> Result<(), StoreError>;

    /// Ends every session of an account. Safe to call twice.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn end_all(&self, account: AccountId) -> Result<(), StoreError>;

    /// Forgets sessions that were begun, or last seen, before these instants.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn sweep(&self, begun_before: Timestamp, seen_before: Timestamp) -> Result<(), StoreError>;
}

/// Never printed: a digest in a log has no use.
impl fmt::Debug for SessionDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionDigest(…)")
    }
}
