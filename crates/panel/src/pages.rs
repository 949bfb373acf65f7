//! The pages, one module each. A handler calls a use case, formats the result as text, and renders a template.

pub(crate) mod account;
pub(crate) mod asset;
mod bucket;
pub(crate) mod certificate;
mod certificate_content;
mod change;
pub(crate) mod docs;
pub(crate) mod exchange_rate;
pub(crate) mod guide;
pub(crate) mod home;
pub(crate) mod landing;
pub(crate) mod list;
pub(crate) mod log_in;
pub(crate) mod mailed_link;
mod meaning;
pub(crate) mod operation;
mod packed_json;
pub(crate) mod plan;
pub(crate) mod playground;
pub(crate) mod search;
pub(crate) mod sheet;
pub(crate) mod sign_up;
pub(crate) mod snippets;
pub(crate) mod status;
pub(crate) mod status_summary;
pub(crate) mod tokens;
mod upload;
pub(crate) mod usage;
pub(crate) mod voucher;
pub(crate) mod watching;
pub(crate) mod webhooks;

pub use change::text as change_text;
pub use list::list_workbook;
pub use upload::ruc_cell_error;
