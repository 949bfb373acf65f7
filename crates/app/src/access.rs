//! Access control: identifies a caller by its token, then admits and charges the call. Independent of HTTP.

mod admission;
mod caller;
mod charged_call;
pub(crate) mod check_key;
mod concurrency_limit;
mod credential_cache;
mod refusals;
pub mod token;

pub use admission::{Admission, AdmitError};
pub use caller::{CalledOperation, Caller};
pub use charged_call::{ChargedCall, LimitStatus};
pub use check_key::CheckKey;
pub use concurrency_limit::{ConcurrencyLimit, Permit};
pub use credential_cache::{AuthenticateError, CredentialCache};
pub use refusals::Refusals;
