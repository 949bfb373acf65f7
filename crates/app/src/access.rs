//! Who may call: from a presented token to a caller, and from a caller to a charged call. Knows no HTTP.

mod admission;
mod caller;
mod credential_cache;
pub mod token;

pub use admission::{Admission, AdmitError, Charge, Grant, Standing};
pub use caller::Caller;
pub use credential_cache::{AuthenticateError, CredentialCache};
