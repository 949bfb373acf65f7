//! A pooled connection: runs single statements or a transaction, with a timeout for each statement.
//!
//! A statement that timed out may still take effect; its connection returns to the pool when it has ended. A
//! transaction that failed, timed out or was dropped closes its connection, and the pool opens another; during its
//! commit it may still take effect. A call waits for a connection of this process, then for another process's lock, and
//! at worst for a disk that does not answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::TryStreamExt;
use kuraka_ports::{NewAuditLine, Origin, StoreError, StoreErrorKind, StoreResult};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Either, Executor, Sqlite, SqlitePool};
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use super::error::store_error;

pub(super) type Query = sqlx::query::Query<'static, Sqlite, SqliteArguments>;

/// How long the ledger's connection is waited for; with [`LEDGER_ANSWERS_WITHIN`] less than a second.
pub(super) const LEDGER_QUEUE: Duration = Duration::from_millis(400);

/// How long the ledger waits for a writer of another process.
pub(super) const LEDGER_BUSY: Duration = Duration::from_millis(400);

/// The timeout of the ledger's statement, after which its result is unknown.
pub(super) const LEDGER_ANSWERS_WITHIN: Duration = Duration::from_millis(500);

/// How long other writes and reads wait for a connection.
pub(super) const QUEUE: Duration = Duration::from_secs(1);

/// The timeout of a statement that changes accounts or tokens.
pub(super) const WRITER_ANSWERS_WITHIN: Duration = Duration::from_millis(2_500);

/// The timeout of a read.
pub(super) const READER_ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// The statement timeout of a copy, which an operator watches and can cancel.
const COPY_WITHIN: Duration = Duration::from_secs(3_600);

/// Returns to its pool when dropped.
pub(super) struct Connection {
    pooled: PoolConnection<Sqlite>,
    pub(super) in_transaction: bool,
    /// The statement timeout. Longer than SQLite waits for a lock, so that only a stuck disk exceeds it.
    answers_within: Duration,
    /// See [`Connection::reporting_to`].
    wrote: Option<Arc<AtomicBool>>,
}

/// Rolled back when dropped before [`Transaction::commit`].
/// Its lines of the audit log are logged after the commit.
pub(super) struct Transaction(pub(super) Connection, pub(super) Vec<(NewAuditLine, Origin)>);

impl Connection {
    /// Waits up to `queue`; `answers_within` is the statement timeout. An error had no effect.
    pub(super) async fn acquire(pool: &SqlitePool, queue: Duration, answers_within: Duration) -> StoreResult<Self> {
        let waited = timeout(queue, pool.acquire()).await.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        let pooled = waited.map_err(|error| store_error(error).without_effect())?;
        Ok(Self { pooled, in_transaction: false, answers_within, wrote: None })
    }

    /// Sets `wrote` when a statement outside of a transaction has changed rows.
    pub(super) fn reporting_to(mut self, wrote: &Arc<AtomicBool>) -> Self {
        self.wrote = Some(Arc::clone(wrote));
        self
    }

    /// Reads all rows: a statement with `RETURNING` commits after its last row, and sqlx would ignore a failed commit.
    pub(super) async fn rows(&mut self, query: Query) -> StoreResult<Vec<SqliteRow>> {
        let outcome = timeout(self.answers_within, query.fetch_all(&mut *self.pooled)).await;
        let rows = self.end(outcome)?;
        self.report(!rows.is_empty());
        Ok(rows)
    }

    pub(super) async fn changed_rows(&mut self, query: Query) -> StoreResult<u64> {
        let outcome = timeout(self.answers_within, query.execute(&mut *self.pooled)).await;
        let changed = self.end(outcome)?.rows_affected();
        self.report(changed > 0);
        Ok(changed)
    }

    /// Runs this number of statements, which begin a transaction, return a row and commit. The caller reports changes.
    ///
    /// Any error closes the connection, which rolls back, even `SQLITE_BUSY` at the `BEGIN`: the error does not say
    /// which statement failed, and a connection with an open transaction would answer later leases without committing
    /// them.
    pub(super) async fn fetch_one_of_transaction(&mut self, query: Query, statements: usize) -> StoreResult<SqliteRow> {
        // Set first: if this future is dropped, the transaction may have begun.
        self.in_transaction = true;
        let mut results = (&mut *self.pooled).fetch_many(query);
        let reading = async {
            let (mut row, mut ended) = (None, 0);
            while let Some(result) = results.try_next().await? {
                match result {
                    Either::Left(_) => ended += 1,
                    Either::Right(found) => row = Some(found),
                }
            }
            // The last statement is the commit. If SQLite's thread stops, the results end early without an error.
            if ended == statements { row.ok_or(sqlx::Error::RowNotFound) } else { Err(sqlx::Error::WorkerCrashed) }
        };
        let outcome = timeout(self.answers_within, reading).await;
        drop(results);
        let row = self.end(outcome)?;
        self.in_transaction = false;
        Ok(row)
    }

    pub(super) fn report(&self, changed: bool) {
        if let Some(wrote) = &self.wrote
            && changed
            && !self.in_transaction
        {
            wrote.store(true, Ordering::Release);
        }
    }

    fn end<T>(&self, outcome: Result<Result<T, sqlx::Error>, Elapsed>) -> StoreResult<T> {
        match outcome {
            Ok(outcome) => outcome.map_err(store_error),
            Err(_) => Err(StoreError::new(StoreErrorKind::Unavailable)
                .with_cause(format!("the disk did not answer within {:.1} s", self.answers_within.as_secs_f64()))),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.in_transaction {
            // Closing rolls back. After a commit on a full disk SQLite has rolled back itself; sqlx's rollback would
            // fail then, and it would refuse every later transaction on this connection.
            self.pooled.close_on_drop();
        }
    }
}

impl Transaction {
    /// `statement` is a form of `BEGIN`.
    pub(super) async fn begin(mut connection: Connection, statement: &str) -> StoreResult<Self> {
        // Set first: if this future is dropped, the transaction may have begun.
        connection.in_transaction = true;
        let begun = connection.execute(statement, &[]).await;
        if begun.as_ref().is_err_and(|error| error.kind == StoreErrorKind::Unwritable) {
            connection.in_transaction = false;
        }
        begun.map(|_| Self(connection, Vec::new()))
    }

    /// Removes the timeouts, for a copy of the whole store.
    pub(super) fn without_timeout(mut self) -> Self {
        self.answers_within = COPY_WITHIN;
        self
    }
}
