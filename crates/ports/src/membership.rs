//! Servers that share a store: their number, and the store's clock.

use std::num::NonZeroU32;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreResult;

/// One run of a server; random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ServerId(pub [u8; 16]);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    /// With a recent heartbeat, this one included.
    pub servers: NonZeroU32,
    /// The store's clock, which all its servers use; `None` = it has none.
    pub now: Option<Timestamp>,
}

#[async_trait]
pub trait Membership: Send + Sync + 'static {
    /// Records a heartbeat; call it twice a second. A server without one for 3 seconds is not counted. Always writes,
    /// so it shows whether the store takes writes. Safe to call twice.
    async fn beat(&self, server: ServerId) -> StoreResult<Heartbeat>;

    /// Safe to call twice.
    async fn leave(&self, server: ServerId) -> StoreResult<()>;
}
