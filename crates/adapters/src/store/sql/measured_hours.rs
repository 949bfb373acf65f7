//! The statements on measured hours.

use async_trait::async_trait;
use kuraka_ports::{MeasuredHour, MeasuredHours, ServerId, StoreError};

use super::error::unreadable;
use super::{Store, row};

#[async_trait]
impl MeasuredHours for Store {
    async fn put_hour(&self, server: ServerId, number: u64, measured: &MeasuredHour) -> Result<(), StoreError> {
        let query = sqlx::query(
            "INSERT INTO measured_hour (server, number, hour, minutes, subjects) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (server, number) DO UPDATE SET minutes = excluded.minutes, subjects = excluded.subjects",
        )
        .bind(&server.0[..])
        .bind(row::count_parameter(number))
        .bind(measured.hour)
        .bind(row::count_parameter(measured.minutes))
        .bind(serde_json::to_string(&measured.subjects).map_err(unreadable)?);
        self.pages().await?.execute(query).await.map(drop)
    }

    async fn hours(&self, from: i64, until: i64) -> Result<Vec<MeasuredHour>, StoreError> {
        let query = "SELECT hour, minutes, subjects FROM measured_hour WHERE hour >= $1 AND hour < $2 ORDER BY hour";
        let found = self.reader().await?.fetch_all(sqlx::query(query).bind(from).bind(until)).await?;
        found.iter().map(row::measured_hour).collect()
    }

    async fn forget_hours(&self, before: i64) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM measured_hour WHERE hour < $1").bind(before);
        self.pages().await?.execute(query).await.map(drop)
    }
}
