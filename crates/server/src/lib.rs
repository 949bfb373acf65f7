//! The server behind the `kuraka` program: settings, bootstrap, the HTTP edge and the admin listener.
//!
//! All that is known of a business rule here is which HTTP status and which Spanish message its outcome has.

pub mod admin;
pub mod application;
pub mod background;
pub mod bootstrap;
pub mod http;
pub mod logs;
pub mod metrics;
pub mod settings;
