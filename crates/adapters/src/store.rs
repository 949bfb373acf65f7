//! Accounts, tokens, sessions and usage, kept in SQL.
//!
//! Every store is one struct that implements [`Accounts`], [`Tokens`], [`Sessions`], [`UsageLedger`] and
//! [`UsageHistory`] and passes the same contract suites. The statements are written once, in `sql/`, in what the
//! databases agree on (`$1`, `ON CONFLICT`, `RETURNING`); each store compiles them against its own connections, rows
//! and errors, which are all that differs.
//! This module refuses to know plans, limits of rates, and what a token's text looks like.
//!
//! [`Accounts`]: kuraka_ports::Accounts
//! [`Tokens`]: kuraka_ports::Tokens
//! [`Sessions`]: kuraka_ports::Sessions
//! [`UsageLedger`]: kuraka_ports::UsageLedger
//! [`UsageHistory`]: kuraka_ports::UsageHistory

mod lock;
mod open;
#[allow(clippy::duplicate_mod, reason = "the statements of sql/ are compiled for each database")]
pub mod postgres;
#[allow(clippy::duplicate_mod, reason = "as above")]
mod sqlite;

pub use lock::{StoreLock, StoreLockError};
pub use open::OpenStoreError;
pub use postgres::{PostgresAddress, PostgresStore};
pub use sqlite::SqliteStore;
