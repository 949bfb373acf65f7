//! The shared store: one PostgreSQL database for any number of servers.
//!
//! Every commit waits for PostgreSQL's disk, leases included, so committed data survives a crash. Connections live on
//! the runtime that opened the store, because the runtimes of the threads that answer calls end before the last leases
//! are returned. A call waits at most [`CONNECT_WITHIN`] for a connection and [`ANSWER_WITHIN`] for a statement.

mod address;
mod connection;
mod damage;
#[path = "sql/error.rs"]
mod error;
mod leases;
mod membership;
mod open;
mod pool;
#[path = "sql/row.rs"]
mod row;
#[path = "sql/statements.rs"]
mod statements;

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use kuraka_ports::{StoreError, StoreResult};
use sqlx::Postgres as Db;
use sqlx::postgres::PgRow as DbRow;
use tokio::runtime::Handle;

pub use self::address::{PostgresAddress, PostgresAddressError};
pub use self::pool::{ANSWER_WITHIN, CONNECT_WITHIN};

use self::PostgresStore as Store;
use self::connection::{Connection, Transaction};
use self::pool::Pool;
use super::lease_queue::LeaseQueue;

const BEGIN: &str = "BEGIN";

/// Ends the query for rows to delete: skips rows that another server is changing, so that two servers never deadlock.
const SKIP_LOCKED: &str = "FOR UPDATE SKIP LOCKED";

/// The store's clock in microseconds.
const NOW: &str = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";

/// Deletes expired lines of the audit log, and returns a row for each.
const EXPIRE_LINES: &str = "SELECT audit_expire() AS id";

/// The latest number of a numbered table.
fn latest_number(table: &str) -> String {
    format!("SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS latest FROM {table}_id_seq")
}

/// Statements after which the next number of a numbered table follows `latest`. An unused sequence begins at 1.
fn continue_after(table: &str, latest: i64) -> Vec<String> {
    vec![format!("SELECT setval('{table}_id_seq', {}, FALSE)", latest + 1)]
}

/// A PostgreSQL store. Clones share the connections.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    /// Connections for accounts, tokens and sessions.
    pool: Pool,
    /// Connections for the ledger, heartbeats and changes, which pages never take.
    kept: Pool,
    runtime: Handle,
    leases: Arc<LeaseQueue>,
    /// `audit.kept_days`.
    kept_days: Arc<AtomicU32>,
    is_new: bool,
}

impl PostgresStore {
    /// An error had no effect.
    async fn connection_from(&self, pool: &Pool) -> StoreResult<Connection> {
        let pooled = pool::connection(pool, &self.runtime).await;
        pooled.map(Connection::new).map_err(StoreError::without_effect)
    }

    async fn reader(&self) -> StoreResult<Connection> {
        self.connection_from(&self.pool).await
    }

    async fn writer(&self) -> StoreResult<Connection> {
        self.connection_from(&self.pool).await
    }

    async fn ledger(&self) -> StoreResult<Connection> {
        self.connection_from(&self.kept).await
    }

    async fn watcher(&self) -> StoreResult<Connection> {
        self.connection_from(&self.kept).await
    }

    async fn pages(&self) -> StoreResult<Connection> {
        self.connection_from(&self.pool).await
    }

    #[expect(clippy::unused_async, reason = "as in SQLite")]
    async fn empty_log(&self) {
        // PostgreSQL removes deleted rows itself; its administrator keeps log and backups.
    }

    /// A read transaction: a snapshot of the whole store.
    async fn snapshot(&self) -> StoreResult<Transaction> {
        let begin = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";
        Transaction::begin(self.writer().await?, begin).await?.without_timeout().await
    }

    /// A write transaction for an import, without a time limit.
    async fn filling(&self) -> StoreResult<Transaction> {
        self.writer_transaction().await?.without_timeout().await
    }

    #[expect(clippy::unused_async, reason = "as in SQLite")]
    async fn close_connections(&self) {
        self.pool.close();
        self.kept.close();
    }
}
