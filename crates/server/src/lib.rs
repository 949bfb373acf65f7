//! The server of the `kuraka` program: settings, bootstrap, the HTTP API and the admin listener.
//!
//! The business rules are in `kuraka-app`; the HTTP modules map their results to HTTP statuses and Spanish messages.

pub mod admin;
pub mod application;
pub mod background;
pub mod bootstrap;
pub mod datasets;
pub mod http;
pub mod logs;
pub mod metrics;
mod panics;
pub mod settings;
