//! The account panel: a caller signs up, creates tokens, sees the usage, and tries a call. The server renders the pages,
//! in Spanish; everything but the playground works without JavaScript.
//!
//! This crate does not use SQL and leaves every decision to a use case of `kuraka-app`. [`routes::ROUTES`] lists every
//! route, the `form` module reads every form, and the `security_headers` module wraps every response.

mod assets;
mod cookie;
mod csrf;
mod current_user;
pub mod dataset_status;
mod error;
mod fields;
mod form;
mod layout;
mod login_session;
mod pages;
mod panel;
mod response;
pub mod routes;
mod security_headers;
mod site;
pub mod source_status;
mod spanish;

pub use dataset_status::Datasets;
pub use error::PageError;
pub use panel::Panel;
pub use routes::{Route, configure};
pub use site::{ClientAddress, Site};
pub use source_status::Sources;
