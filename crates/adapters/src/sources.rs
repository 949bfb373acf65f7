//! Sources of a taxpayer's detail: each module knows how one kind of source is asked and what its answers look like.

mod json;
pub mod provider_api;
mod retry_after;
pub mod sunat_portal;

pub mod sunat_vouchers;
mod text;
mod wire;

pub use wire::MAX_BODY;
