//! A file has one server, which the lock of its data folder sees to, and no clock.

use std::num::NonZeroU32;

use async_trait::async_trait;
use kuraka_ports::{Fleet, Pulse, ServerId, StoreError};

use super::SqliteStore;

#[async_trait]
impl Fleet for SqliteStore {
    async fn beat(&self, _: ServerId) -> Result<Pulse, StoreError> {
        Ok(Pulse { servers: NonZeroU32::MIN, now: None })
    }

    async fn leave(&self, _: ServerId) -> Result<(), StoreError> {
        Ok(())
    }
}
