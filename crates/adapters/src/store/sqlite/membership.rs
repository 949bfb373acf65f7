//! The membership of an SQLite store: one server and no clock. A heartbeat writes a page, to show whether the file is
//! writable, unless waiting leases show it.

use std::num::NonZeroU32;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use kuraka_ports::{Heartbeat, Membership, ServerId, StoreResult};

use super::SqliteStore;

#[async_trait]
impl Membership for SqliteStore {
    async fn beat(&self, _: ServerId) -> StoreResult<Heartbeat> {
        let alone = Heartbeat { servers: NonZeroU32::MIN, now: None };
        let wrote = self.wrote.swap(false, Ordering::AcqRel);
        match self.ledger().await {
            // Writes the first page, which needs the lock and disk space. Nothing reads this number; a row updated to
            // its own value would not be written.
            Ok(mut ledger) => ledger.execute("PRAGMA user_version = 0", &[]).await.map(|_| alone),
            Err(_) if wrote || self.wrote.load(Ordering::Acquire) => Ok(alone),
            Err(error) => Err(error),
        }
    }

    async fn leave(&self, _: ServerId) -> StoreResult<()> {
        Ok(())
    }
}
