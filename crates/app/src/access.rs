//! Access control: identifies a caller by its token, then admits and charges the call. Independent of HTTP.

mod admission;
mod caller;
mod credential_cache;
mod known_digests;
mod places;
pub mod token;
mod unknown_tokens;

pub use admission::{Admission, AdmitError, Charge, Grant, Standing};
pub use caller::Caller;
pub use credential_cache::{AuthenticateError, CredentialCache};
pub use places::{Place, Places};
