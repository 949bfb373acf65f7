#![doc = include_str!("../README.md")]
//! # Modules
//!
//! `stream` wraps the socket below the HTTP/1 service and enforces the deadlines, without parsing HTTP. `service` wraps
//! the application above it, and reports through the shared `connection_state` when a request has begun, its body has
//! ended and its response is complete. `table` bounds the number of connections.

mod connection_set;
mod connection_state;
mod file_limit;
mod limits;
mod listener;
mod observer;
mod service;
mod socket;
mod stream;
mod table;
#[cfg(test)]
mod tests;

pub use file_limit::connections_in_file_limit;
pub use limits::{Limits, TrustedProxies};
pub use listener::{Config, Listener};
pub use observer::{CloseReason, Observer};
