//! Sources of taxpayer details and of voucher validations. Each module queries one kind of source and parses its
//! answers.

mod json;
pub mod provider_api;
pub mod retry_after;
pub mod sunat_portal;

pub mod sunat_vouchers;
mod text;
mod wire;

pub use wire::MAX_BODY;
