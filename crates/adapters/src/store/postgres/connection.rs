//! One connection's turn: a statement, or several in one transaction, each answered in time or not at all.
//!
//! A connection whose statement was not answered, because time was up or the caller went away, is closed and never
//! used again: nobody reads another's answer, and PostgreSQL undoes what was not committed.

use std::future::Future;

use deadpool::managed::Object;
use kuraka_ports::{StoreError, StoreErrorKind};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{PgConnection, Postgres};

use super::ANSWER_WITHIN;
use super::error::store_error;
use super::pool::Pooled;

pub(super) type Query<'q> = sqlx::query::Query<'q, Postgres, PgArguments>;

/// A connection; back in its pool when dropped, if every statement was answered.
pub(super) struct Connection {
    pooled: Option<Pooled>,
    /// Whether a statement waits for its answer, or a transaction for its end.
    under_way: bool,
}

/// Statements that count together; undone when dropped before [`Transaction::commit`].
pub(super) struct Transaction(Connection);

impl Connection {
    pub(super) fn new(pooled: Pooled) -> Self {
        Self { pooled: Some(pooled), under_way: false }
    }

    pub(super) async fn fetch_one(&mut self, query: Query<'_>) -> Result<PgRow, StoreError> {
        self.fetch_optional(query).await?.ok_or_else(|| store_error(sqlx::Error::RowNotFound))
    }

    pub(super) async fn fetch_optional(&mut self, query: Query<'_>) -> Result<Option<PgRow>, StoreError> {
        let outcome = answered(query.fetch_optional(self.ask()?)).await;
        self.end(outcome)
    }

    pub(super) async fn fetch_all(&mut self, query: Query<'_>) -> Result<Vec<PgRow>, StoreError> {
        let outcome = answered(query.fetch_all(self.ask()?)).await;
        self.end(outcome)
    }

    /// Rows changed.
    pub(super) async fn execute(&mut self, query: Query<'_>) -> Result<u64, StoreError> {
        let outcome = answered(query.execute(self.ask()?)).await;
        self.end(outcome).map(|done| done.rows_affected())
    }

    /// The connection, for one statement.
    fn ask(&mut self) -> Result<&mut PgConnection, StoreError> {
        self.under_way = true;
        match &mut self.pooled {
            Some(pooled) => Ok(pooled),
            None => Err(StoreError::new(StoreErrorKind::Unavailable)),
        }
    }

    /// The statement is over. What PostgreSQL itself answers, a refusal included, leaves the connection good.
    fn end<T>(&mut self, outcome: Option<Result<T, sqlx::Error>>) -> Result<T, StoreError> {
        match outcome {
            Some(outcome) => {
                self.under_way =
                    outcome.as_ref().is_err_and(|error| matches!(error, sqlx::Error::Io(_) | sqlx::Error::Protocol(_)));
                outcome.map_err(store_error)
            }
            None => Err(StoreError::new(StoreErrorKind::Unavailable)
                .because(format!("no answer within {} s", ANSWER_WITHIN.as_secs()))),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.under_way {
            // Out of the pool; dropping it closes the socket.
            drop(self.pooled.take().map(Object::take));
        }
    }
}

impl Transaction {
    pub(super) async fn begin(mut connection: Connection) -> Result<Self, StoreError> {
        connection.execute(sqlx::query("BEGIN")).await?;
        connection.under_way = true;
        Ok(Self(connection))
    }

    pub(super) async fn fetch_one(&mut self, query: Query<'_>) -> Result<PgRow, StoreError> {
        let outcome = self.0.fetch_one(query).await;
        self.0.under_way = true;
        outcome
    }

    pub(super) async fn fetch_optional(&mut self, query: Query<'_>) -> Result<Option<PgRow>, StoreError> {
        let outcome = self.0.fetch_optional(query).await;
        self.0.under_way = true;
        outcome
    }

    pub(super) async fn fetch_all(&mut self, query: Query<'_>) -> Result<Vec<PgRow>, StoreError> {
        let outcome = self.0.fetch_all(query).await;
        self.0.under_way = true;
        outcome
    }

    /// Rows changed.
    pub(super) async fn execute(&mut self, query: Query<'_>) -> Result<u64, StoreError> {
        let outcome = self.0.execute(query).await;
        self.0.under_way = true;
        outcome
    }

    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        self.0.execute(sqlx::query("COMMIT")).await.map(drop)
    }
}

/// `None` if no answer came in time.
async fn answered<T>(answer: impl Future<Output = T>) -> Option<T> {
    // Longer than PostgreSQL's own limit on the statement, whose refusal says more and keeps the connection.
    tokio::time::timeout(ANSWER_WITHIN + ANSWER_WITHIN / 10, answer).await.ok()
}
