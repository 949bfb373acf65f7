//! The membership of an SQLite store: one server, because the data folder is locked. The file has no clock.

use std::num::NonZeroU32;

use async_trait::async_trait;
use kuraka_ports::{Heartbeat, Membership, ServerId, StoreError};

use super::SqliteStore;

#[async_trait]
impl Membership for SqliteStore {
    async fn beat(&self, _: ServerId) -> Result<Heartbeat, StoreError> {
        Ok(Heartbeat { servers: NonZeroU32::MIN, now: None })
    }

    async fn leave(&self, _: ServerId) -> Result<(), StoreError> {
        Ok(())
    }
}
