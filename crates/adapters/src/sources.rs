//! Sources of taxpayer details and voucher validations. Each module queries one kind of source, with the same files:
//!
//! | file | content |
//! |---|---|
//! | `<source>.rs` | the port: sends requests and receives answers |
//! | `config` | the operator's settings, checked |
//! | `session` | what is kept between calls |
//! | `request` | what is sent |
//! | `parse` | bytes to raw values |
//! | `map` | raw values to the domain's |
//! | `error` | why an exchange gives no record, why a body is refused |
//!
//! `request`, `parse` and `map` are pure.

mod activity;
mod explanation;
mod json;
pub mod provider_api;
pub mod retry_after;
pub mod sunat_portal;
pub mod sunat_vouchers;
mod text;
mod wire;

pub use activity::ActivityError;
pub use explanation::Explanation;
pub use wire::MAX_BODY;
