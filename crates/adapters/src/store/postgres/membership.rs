//! The servers that share a database, by the database's clock.

use std::num::NonZeroU32;

use async_trait::async_trait;
use kuraka_ports::{Heartbeat, Membership, ServerId, StoreResult};

use super::error::unreadable;
use super::{DbRow, Store, row};

#[async_trait]
impl Membership for Store {
    async fn beat(&self, server: ServerId) -> StoreResult<Heartbeat> {
        let statement = "WITH forgotten AS (
                 DELETE FROM server WHERE id <> $1 AND seen < clock_timestamp() - INTERVAL '1 minute'
             ), beat AS (
                 INSERT INTO server (id, seen) VALUES ($1, clock_timestamp())
                 ON CONFLICT (id) DO UPDATE SET seen = excluded.seen
             )
             SELECT 1 + (
                     SELECT count(*) FROM server WHERE id <> $1 AND seen > clock_timestamp() - INTERVAL '3 seconds'
                 ) AS servers,
                 (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT AS now";
        let heartbeat = |found: &DbRow| {
            let servers = NonZeroU32::new(row::number(found, "servers")?);
            Ok(Heartbeat {
                servers: servers.ok_or_else(|| unreadable("the store counts no servers"))?,
                now: row::instant_if_any(found, "now")?,
            })
        };
        self.watcher().await?.one(statement, &[&server.0], heartbeat).await
    }

    async fn leave(&self, server: ServerId) -> StoreResult<()> {
        self.watcher().await?.execute("DELETE FROM server WHERE id = $1", &[&server.0]).await.map(drop)
    }
}
