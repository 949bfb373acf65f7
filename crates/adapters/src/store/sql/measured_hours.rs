//! The statements on measured hours.

use async_trait::async_trait;
use kuraka_ports::{MeasuredHour, MeasuredHours, ServerId, StoreResult};

use super::error::unreadable;
use super::{Store, row};

#[async_trait]
impl MeasuredHours for Store {
    async fn put_hour(&self, server: ServerId, number: u64, measured: &MeasuredHour) -> StoreResult<()> {
        let statement =
            "INSERT INTO measured_hour (server, number, hour, minutes, subjects) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (server, number) DO UPDATE SET minutes = excluded.minutes, subjects = excluded.subjects";
        let MeasuredHour { hour, minutes, subjects } = measured;
        let subjects = serde_json::to_string(subjects).map_err(unreadable)?;
        self.pages().await?.execute(statement, &[&server.0, &number, hour, minutes, &subjects]).await.map(drop)
    }

    async fn hours(&self, from: i64, until: i64) -> StoreResult<Vec<MeasuredHour>> {
        let statement =
            "SELECT hour, minutes, subjects FROM measured_hour WHERE hour >= $1 AND hour < $2 ORDER BY hour";
        self.reader().await?.list(statement, &[&from, &until], row::measured_hour).await
    }

    async fn forget_hours(&self, before: i64) -> StoreResult<()> {
        self.pages().await?.execute("DELETE FROM measured_hour WHERE hour < $1", &[&before]).await.map(drop)
    }
}
