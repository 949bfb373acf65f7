//! The pages, one module each: what a page needs is asked of a use case, turned into texts, and put into a template.

pub(crate) mod account;
pub(crate) mod docs;
pub(crate) mod landing;
pub(crate) mod log_in;
pub(crate) mod log_out;
pub(crate) mod plan;
pub(crate) mod playground;
pub(crate) mod sign_up;
pub(crate) mod status;
pub(crate) mod tokens;
pub(crate) mod usage;
