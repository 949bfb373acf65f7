//! Accounts, tokens, sessions and usage, kept in SQL.
//!
//! Every store is one struct that implements all ports of [`Store`] and passes their contract suites. The modules in
//! `sql/` hold the statements, written once in the SQL that both databases support (`$1`, `ON CONFLICT`, `RETURNING`).
//! Each store compiles these modules with its own connection, row and error types.

mod address;
mod lease_queue;
mod lock;
mod open;
mod parameter;
#[expect(clippy::duplicate_mod, reason = "the statements of sql/ are compiled for each database")]
pub mod postgres;
#[expect(clippy::duplicate_mod, reason = "as above")]
mod sqlite;
mod transfer;

pub use address::StoreAddress;
pub use lock::{StoreLock, StoreLockError};
pub use open::{OpenStoreError, Schema};
pub use postgres::{PostgresAddress, PostgresStore};
pub use sqlite::SqliteStore;
pub use transfer::{Contents, Export, Import, StoreRecord, transfer};

use async_trait::async_trait;
use kuraka_ports::{
    Accounts, Audit, Certificates, DailyUsage, Digests, KeptLists, MailCodes, MeasuredHours, Membership, Outbox,
    Retention, Sessions, StoreError, Tokens, UsageLedger, WatchLists, WebhookQueue, Webhooks,
};

#[async_trait]
pub trait Store:
    Accounts
    + Audit
    + Tokens
    + Sessions
    + UsageLedger
    + DailyUsage
    + WatchLists
    + KeptLists
    + Certificates
    + MeasuredHours
    + Membership
    + MailCodes
    + Outbox
    + Digests
    + Retention
    + Webhooks
    + WebhookQueue
{
    /// Whether opening it created it.
    fn is_new(&self) -> bool;

    /// Closes the connections once their running statements are done. Calls after that are `Unavailable`.
    async fn close(&self);

    /// Counts the rows of the store.
    async fn contents(&self) -> Result<Contents, StoreError>;

    /// Begins to export the store in its current state.
    async fn export(&self) -> Result<Box<dyn Export>, StoreError>;

    /// Begins to import into the store.
    async fn import(&self) -> Result<Box<dyn Import>, StoreError>;
}
