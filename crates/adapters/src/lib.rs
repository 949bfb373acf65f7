//! The outside world behind the ports: the store, the embedded registry, the clock, downloads and passwords.
//!
//! Each module knows one thing outside and speaks the ports' language inside. None knows another's shapes,
//! and none knows the HTTP statuses of our own API.

pub mod clock;
pub mod download;
pub mod http;
pub mod layers;
pub mod passwords;
pub mod registry;
pub mod sources;
pub mod store;
