//! A pooled connection: runs single statements or a transaction, with a timeout for each statement.
//!
//! If a statement times out or its caller disconnects, the connection is closed, so that no call reads another's answer
//! and PostgreSQL rolls back what was not committed.

use std::time::Duration;

use deadpool::managed::Object;
use kuraka_ports::{NewAuditLine, Origin, StoreError, StoreErrorKind, StoreResult};
use sqlx::postgres::{PgArguments, PgDatabaseError, PgRow, PgSeverity};
use sqlx::{PgConnection, Postgres};
use tokio::time::timeout;

use super::error::store_error;
use super::pool::{ANSWER_WITHIN, Pooled};

/// The statement timeout of a copy, which an operator watches and can cancel.
const COPY_WITHIN: Duration = Duration::from_secs(3_600);

pub(super) type Query = sqlx::query::Query<'static, Postgres, PgArguments>;

/// Returns to its pool when dropped, if no answer is pending.
pub(super) struct Connection {
    pooled: Option<Pooled>,
    under_way: bool,
    pub(super) in_transaction: bool,
    /// The statement timeout, longer than PostgreSQL's own limit, whose error has more detail and keeps the connection.
    answers_within: Duration,
}

/// Rolled back when dropped before [`Transaction::commit`].
/// Its lines of the audit log are logged after the commit.
pub(super) struct Transaction(pub(super) Connection, pub(super) Vec<(NewAuditLine, Origin)>);

impl Connection {
    pub(super) fn new(pooled: Pooled) -> Self {
        Self {
            pooled: Some(pooled),
            under_way: false,
            in_transaction: false,
            answers_within: ANSWER_WITHIN + ANSWER_WITHIN / 10,
        }
    }

    pub(super) async fn rows(&mut self, query: Query) -> StoreResult<Vec<PgRow>> {
        let outcome = timeout(self.answers_within, query.fetch_all(self.ask()?)).await.ok();
        self.end(outcome)
    }

    pub(super) async fn changed_rows(&mut self, query: Query) -> StoreResult<u64> {
        let outcome = timeout(self.answers_within, query.execute(self.ask()?)).await.ok();
        self.end(outcome).map(|done| done.rows_affected())
    }

    fn ask(&mut self) -> StoreResult<&mut PgConnection> {
        self.under_way = true;
        match &mut self.pooled {
            Some(pooled) => Ok(pooled),
            None => Err(StoreError::new(StoreErrorKind::Unavailable)),
        }
    }

    fn end<T>(&mut self, outcome: Option<Result<T, sqlx::Error>>) -> StoreResult<T> {
        match outcome {
            Some(outcome) => {
                self.under_way = outcome.as_ref().is_err_and(must_close);
                outcome.map_err(store_error)
            }
            None => Err(StoreError::new(StoreErrorKind::Unavailable)
                .with_cause(format!("no answer within {:.1} s", self.answers_within.as_secs_f64()))),
        }
    }
}

/// Whether a connection must be closed after this error: it is broken, or its server stops, starts or takes no writes
/// any more, like the old primary after a failover.
fn must_close(error: &sqlx::Error) -> bool {
    let Some(refusal) = error.as_database_error() else {
        return matches!(error, sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::Tls(_));
    };
    let is_fatal = refusal
        .try_downcast_ref::<PgDatabaseError>()
        .is_none_or(|refusal| matches!(refusal.severity(), PgSeverity::Panic | PgSeverity::Fatal));
    let code = refusal.code().unwrap_or_default();
    is_fatal || code == "25006" || code.starts_with("57P") || code.starts_with("08")
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.under_way || self.in_transaction {
            // Dropping it outside of the pool closes the socket.
            drop(self.pooled.take().map(Object::take));
        }
    }
}

impl Transaction {
    /// `statement` is a form of `BEGIN`.
    pub(super) async fn begin(mut connection: Connection, statement: &str) -> StoreResult<Self> {
        connection.execute(statement, &[]).await?;
        connection.in_transaction = true;
        Ok(Self(connection, Vec::new()))
    }

    /// Removes the timeouts, for a copy of the whole store.
    pub(super) async fn without_timeout(mut self) -> StoreResult<Self> {
        self.answers_within = COPY_WITHIN;
        for limit in ["SET LOCAL statement_timeout = 0", "SET LOCAL idle_in_transaction_session_timeout = 0"] {
            self.execute(limit, &[]).await?;
        }
        Ok(self)
    }
}
