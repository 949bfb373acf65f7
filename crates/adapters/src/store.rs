//! Accounts, tokens, sessions and usage, kept in SQL.
//!
//! Every store is one struct that implements [`Accounts`], [`Tokens`], [`Sessions`], [`UsageLedger`] and [`UsageHistory`], with the same statements
//! as far as the databases agree (`$1`, `ON CONFLICT`, `RETURNING`), and passes the same contract suites.
//! This module refuses to know plans, limits of rates, and what a token's text looks like.
//!
//! [`Accounts`]: kuraka_ports::Accounts
//! [`Tokens`]: kuraka_ports::Tokens
//! [`Sessions`]: kuraka_ports::Sessions
//! [`UsageLedger`]: kuraka_ports::UsageLedger
//! [`UsageHistory`]: kuraka_ports::UsageHistory

mod lock;
mod sqlite;

pub use lock::{StoreLock, StoreLockError};
pub use sqlite::{OpenStoreError, SqliteStore};
