//! The embedded store: one SQLite file, no server to run.
//!
//! Write-ahead log, foreign keys on, mode 0600. Every write takes SQLite's write lock at its beginning, so that it
//! waits for others instead of failing half-way.
//!
//! What survives: a killed process loses nothing that was answered. When the machine loses power, accounts, tokens
//! and revocations are all there, for their commits wait for the disk (`synchronous = FULL`). Leases do not wait
//! (`NORMAL`): with small plans every query is a lease, and a disk that syncs 300 times a second would be the
//! service's speed. A power cut can therefore forget the last leases, which gives those queries back to their
//! accounts: at most those since the last commit that waited, and those that the log held until its last checkpoint
//! (a thousand pages). The file itself stays whole either way.

mod accounts;
mod error;
mod history;
mod open;
mod row;
mod sessions;
mod tokens;
mod usage;

use sqlx::SqlitePool;

pub use open::OpenStoreError;

/// Accounts, tokens and usage in one SQLite file.
///
/// Cloning gives another handle on the same connections.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    /// Reads, which see the latest commit and never wait for a writer.
    readers: SqlitePool,
    /// The one connection that writes accounts and tokens; its commits wait for the disk.
    writer: SqlitePool,
    /// The one connection that writes usage; its commits do not.
    ledger: SqlitePool,
}

impl SqliteStore {
    /// Closes the connections once their running statements are done. Calls after that are `Unavailable`.
    pub async fn close(&self) {
        self.readers.close().await;
        self.ledger.close().await;
        // Last: closing the file's last connection moves the log into the file, and this one waits for the disk.
        self.writer.close().await;
    }
}
