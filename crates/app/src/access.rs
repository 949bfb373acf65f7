//! Access control: a token gives a caller, and a caller's call is admitted and charged. Independent of HTTP.

mod admission;
mod caller;
mod credential_cache;
pub mod token;

pub use admission::{Admission, AdmitError, Charge, Grant, Standing};
pub use caller::Caller;
pub use credential_cache::{AuthenticateError, CredentialCache};
