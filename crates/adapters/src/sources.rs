//! Sources of taxpayers' details and of voucher validations: each module knows how to ask one kind of source and how to
//! read its answers.

mod json;
pub mod provider_api;
mod retry_after;
pub mod sunat_portal;

pub mod sunat_vouchers;
mod text;
mod wire;

pub use wire::MAX_BODY;
