//! The ports of the application: traits for stores, sources and clocks, one error type for sources and one for stores,
//! the contract suites that every implementation must pass, and fakes that pass them.
//!
//! This crate does not depend on any database, HTTP or web page.
//! The feature `testing` adds the suites and the fakes.

pub mod account;
pub mod chain;
pub mod clock;
#[cfg(feature = "testing")]
pub mod contract;
pub mod daily_usage;
#[cfg(feature = "testing")]
pub mod fake;
pub mod ledger;
pub mod membership;
pub mod password;
pub mod registry;
pub mod session;
pub mod source_error;
pub mod source_load;
pub mod store_error;
pub mod taxpayer_source;
pub mod token;
pub mod voucher_validator;

pub use account::{Account, AccountId, AccountStatus, Accounts, Email, EmailError, PlanName, PlanNameError};
pub use chain::chain;
pub use clock::Clock;
pub use daily_usage::{DailyUsage, DayCount, OperationName};
pub use ledger::{Lease, Period, UsageLedger};
pub use membership::{Heartbeat, Membership, ServerId};
pub use password::{PasswordError, PasswordHasher};
pub use registry::{DatasetError, Edition, EditionOrigin, PublishedDataset, RegistrySnapshot, TaxpayerRegistry};
pub use session::{Session, SessionDigest, Sessions};
pub use source_error::{SourceError, SourceErrorKind};
pub use source_load::SourceLoad;
pub use store_error::{StoreError, StoreErrorKind};
pub use taxpayer_source::{DetailAnswer, DetailOrigin, Freshness, TaxpayerSource};
pub use token::{Changed, Changes, Credential, MOST_ENDED, NewToken, Token, TokenDigest, TokenId, Tokens};
pub use voucher_validator::{VoucherAnswer, VoucherValidator};
