//! Implementations of the ports: stores, the embedded registry, sources and their layers, clocks, passwords, downloads.
//!
//! Each module knows one outside system and gives the ports' types. No module knows another one's data formats, or the
//! HTTP statuses of our own API.

pub mod address;
pub mod clock;
pub mod download;
pub mod http;
pub mod layers;
pub mod passwords;
pub mod registry;
pub mod sources;
pub mod store;
