//! The servers that share a database, by the database's clock.

use std::num::NonZeroU32;

use async_trait::async_trait;
use kuraka_ports::{Heartbeat, Membership, ServerId, StoreError};

use super::error::unreadable;
use super::{Store, row};

#[async_trait]
impl Membership for Store {
    async fn beat(&self, server: ServerId) -> Result<Heartbeat, StoreError> {
        let query = sqlx::query(
            "WITH forgotten AS (
                 DELETE FROM server WHERE id <> $1 AND seen < clock_timestamp() - INTERVAL '1 minute'
             ), beat AS (
                 INSERT INTO server (id, seen) VALUES ($1, clock_timestamp())
                 ON CONFLICT (id) DO UPDATE SET seen = excluded.seen
             )
             SELECT 1 + (
                     SELECT count(*) FROM server WHERE id <> $1 AND seen > clock_timestamp() - INTERVAL '3 seconds'
                 ) AS servers,
                 (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT AS now",
        )
        .bind(&server.0[..]);
        let found = self.watcher().await?.fetch_one(query).await?;
        let servers: i64 = row::column(&found, "servers")?;
        let servers = u32::try_from(servers).ok().and_then(NonZeroU32::new);
        Ok(Heartbeat {
            servers: servers.ok_or_else(|| unreadable("the store counts no servers, or too many"))?,
            now: row::instant_if_any(&found, "now")?,
        })
    }

    async fn leave(&self, server: ServerId) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM server WHERE id = $1").bind(&server.0[..]);
        self.watcher().await?.execute(query).await.map(drop)
    }
}
