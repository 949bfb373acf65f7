//! The embedded store: one SQLite file (write-ahead log, foreign keys on, mode 0600). Every write transaction takes
//! SQLite's write lock at its beginning, so that it waits for other writers instead of failing half-way.
//!
//! Durability: a killed process loses nothing that was answered. A power cut loses no account, token or revocation,
//! because their commits wait for the disk (`synchronous = FULL`). Leases do not wait (`NORMAL`): on small plans every
//! query is a lease, and a disk with 300 syncs per second would limit the service to 300 calls per second. A power cut
//! can lose the leases since the last commit that waited or the last checkpoint (1,000 pages), which gives those
//! queries back. The file stays intact.
//!
//! Waits are bounded (`connection`). Reads do not wait for writers.

mod backup;
mod connection;
mod damage;
#[path = "sql/error.rs"]
mod error;
mod leases;
mod membership;
mod open;
#[path = "sql/row.rs"]
mod row;
#[path = "sql/statements.rs"]
mod statements;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32};

use kuraka_ports::{StoreResult, chain};
use sqlx::sqlite::SqliteRow as DbRow;
use sqlx::{Sqlite as Db, SqlitePool};

use self::SqliteStore as Store;
use self::connection::{
    Connection, LEDGER_ANSWERS_WITHIN, LEDGER_QUEUE, QUEUE, READER_ANSWERS_WITHIN, Transaction, WRITER_ANSWERS_WITHIN,
};
use super::lease_queue::LeaseQueue;

/// Takes the write lock at once, because a transaction cannot wait for it later.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// Ends the query for rows to delete. SQLite has one writer and no row locks.
const SKIP_LOCKED: &str = "";

/// The store's clock in microseconds.
const NOW: &str = "CAST(unixepoch('subsec') * 1000000 AS INTEGER)";

/// Deletes expired lines of the audit log, and returns a row for each.
const EXPIRE_LINES: &str = "DELETE FROM audit WHERE id IN (
    SELECT id FROM audit WHERE expires <= CAST(unixepoch('subsec') * 1000000 AS INTEGER) LIMIT 1000) RETURNING id";

/// The latest number of a numbered table.
fn latest_number(table: &str) -> String {
    format!("SELECT coalesce(max(seq), 0) AS latest FROM sqlite_sequence WHERE name = '{table}'")
}

/// Statements after which the next number of a numbered table follows `latest`.
fn continue_after(table: &str, latest: i64) -> Vec<String> {
    vec![
        format!("DELETE FROM sqlite_sequence WHERE name = '{table}'"),
        format!("INSERT INTO sqlite_sequence (name, seq) VALUES ('{table}', {latest})"),
    ]
}

/// An SQLite store. Clones share the connections.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    /// Readers see the latest commit and never wait for a writer.
    readers: SqlitePool,
    /// The one connection for accounts and tokens; its commits wait for the disk.
    writer: SqlitePool,
    /// The one connection for usage; its commits do not wait.
    ledger: SqlitePool,
    /// Whether the ledger changed rows since the latest heartbeat.
    wrote: Arc<AtomicBool>,
    leases: Arc<LeaseQueue>,
    /// `audit.kept_days`.
    kept_days: Arc<AtomicU32>,
    is_new: bool,
}

impl SqliteStore {
    async fn reader(&self) -> StoreResult<Connection> {
        Connection::acquire(&self.readers, QUEUE, READER_ANSWERS_WITHIN).await
    }

    async fn watcher(&self) -> StoreResult<Connection> {
        self.reader().await
    }

    async fn writer(&self) -> StoreResult<Connection> {
        Connection::acquire(&self.writer, QUEUE, WRITER_ANSWERS_WITHIN).await
    }

    async fn ledger(&self) -> StoreResult<Connection> {
        let connection = Connection::acquire(&self.ledger, LEDGER_QUEUE, LEDGER_ANSWERS_WITHIN).await?;
        Ok(connection.reporting_to(&self.wrote))
    }

    async fn pages(&self) -> StoreResult<Connection> {
        self.ledger().await
    }

    /// Moves the log, which still has deleted rows, into the file.
    async fn empty_log(&self) {
        let emptied = async {
            let mut writer = self.writer().await?;
            writer.one("PRAGMA wal_checkpoint(TRUNCATE)", &[], |row| row::column::<i64>(row, "busy")).await
        };
        let cause = match emptied.await {
            Ok(0) => return,
            Ok(_) => "another process reads the store".to_owned(),
            Err(error) => chain(&error),
        };
        tracing::warn!(cause, "deleted rows stay in the store's log, which is emptied within an hour");
    }

    /// A read transaction: a snapshot of the whole store.
    async fn snapshot(&self) -> StoreResult<Transaction> {
        Transaction::begin(self.reader().await?, "BEGIN").await.map(Transaction::without_timeout)
    }

    /// A write transaction for an import, without a time limit.
    async fn filling(&self) -> StoreResult<Transaction> {
        self.writer_transaction().await.map(Transaction::without_timeout)
    }

    async fn close_connections(&self) {
        self.readers.close().await;
        self.ledger.close().await;
        // Last: closing the last connection moves the log into the file, and this one waits for the disk.
        self.writer.close().await;
    }
}
