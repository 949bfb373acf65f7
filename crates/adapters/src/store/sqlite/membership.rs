//! The membership of an SQLite store: one server, because the data folder is locked. The file has no clock. A heartbeat
//! writes a page, which shows whether the file can be written to.

use std::num::NonZeroU32;

use async_trait::async_trait;
use kuraka_ports::{Heartbeat, Membership, ServerId, StoreError};

use super::SqliteStore;

#[async_trait]
impl Membership for SqliteStore {
    async fn beat(&self, _: ServerId) -> Result<Heartbeat, StoreError> {
        // Writes the first page, and so needs the lock and space on the disk. Nothing reads this number. SQLite would not
        // write a row that is updated to its own value.
        self.ledger().await?.execute(sqlx::query("PRAGMA user_version = 0")).await?;
        Ok(Heartbeat { servers: NonZeroU32::MIN, now: None })
    }

    async fn leave(&self, _: ServerId) -> Result<(), StoreError> {
        Ok(())
    }
}
