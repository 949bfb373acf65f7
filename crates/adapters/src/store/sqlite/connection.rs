//! A connection taken from a pool: runs single statements or a transaction.

use std::ops::DerefMut;

use kuraka_ports::StoreError;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Sqlite, SqliteConnection, Transaction as Begun};

use super::error::store_error;

pub(super) type Query<'q> = sqlx::query::Query<'q, Sqlite, SqliteArguments>;

/// A connection, plain or within a transaction.
pub(super) struct Turn<C>(pub(super) C);

/// A connection; returns to its pool when dropped.
pub(super) type Connection = Turn<PoolConnection<Sqlite>>;

/// A transaction; rolled back when dropped before [`Transaction::commit`].
pub(super) type Transaction = Turn<Begun<'static, Sqlite>>;

impl<C: DerefMut<Target = SqliteConnection>> Turn<C> {
    pub(super) async fn fetch_one(&mut self, query: Query<'_>) -> Result<SqliteRow, StoreError> {
        query.fetch_one(&mut *self.0).await.map_err(store_error)
    }

    pub(super) async fn fetch_optional(&mut self, query: Query<'_>) -> Result<Option<SqliteRow>, StoreError> {
        query.fetch_optional(&mut *self.0).await.map_err(store_error)
    }

    pub(super) async fn fetch_all(&mut self, query: Query<'_>) -> Result<Vec<SqliteRow>, StoreError> {
        query.fetch_all(&mut *self.0).await.map_err(store_error)
    }

    /// Returns the number of changed rows.
    pub(super) async fn execute(&mut self, query: Query<'_>) -> Result<u64, StoreError> {
        query.execute(&mut *self.0).await.map(|done| done.rows_affected()).map_err(store_error)
    }
}

impl Transaction {
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        self.0.commit().await.map_err(store_error)
    }
}
