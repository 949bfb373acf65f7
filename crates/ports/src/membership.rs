//! The servers that share a store: how many they are, and what time it is for all of them.

use std::num::NonZeroU32;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::StoreError;

/// One run of a server: drawn at random when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ServerId(pub [u8; 16]);

/// What a server learns when it says that it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    /// Servers that have lately said that they live, this one included.
    pub servers: NonZeroU32,
    /// The time by the store's clock, which counts for every server; `None` = the store has none of its own.
    pub now: Option<Timestamp>,
}

/// Where servers that share a store meet.
#[async_trait]
pub trait Membership: Send + Sync + 'static {
    /// Says that this server lives. To be called once a second; whoever is silent for three is not counted.
    /// Safe to call twice.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn beat(&self, server: ServerId) -> Result<Heartbeat, StoreError>;

    /// Says that this server stops, so that nobody counts it any more. Safe to call twice.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn leave(&self, server: ServerId) -> Result<(), StoreError>;
}
