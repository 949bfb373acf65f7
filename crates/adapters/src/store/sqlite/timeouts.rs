//! How long a call waits for the SQLite file.
//!
//! A call first waits for a connection of this process, then for a lock that another process holds, and in the worst
//! case for a disk that does not answer.

use std::time::Duration;

/// How long a lease, a settlement or a heartbeat waits for the ledger's connection. With [`LEDGER_ANSWERS_WITHIN`] it
/// is less than a second.
pub(super) const LEDGER_QUEUE: Duration = Duration::from_millis(400);

/// How long the ledger's statement waits for a writer of another process.
pub(super) const LEDGER_BUSY: Duration = Duration::from_millis(400);

/// How long the ledger's statement waits at all. After that its result is unknown.
pub(super) const LEDGER_ANSWERS_WITHIN: Duration = Duration::from_millis(500);

/// How long a change of accounts or tokens, or a read, waits for a connection.
pub(super) const QUEUE: Duration = Duration::from_secs(1);

/// How long a statement of a change of accounts or tokens waits at all.
pub(super) const WRITER_ANSWERS_WITHIN: Duration = Duration::from_millis(2_500);

/// How long a read waits at all.
pub(super) const READER_ANSWERS_WITHIN: Duration = Duration::from_secs(2);
