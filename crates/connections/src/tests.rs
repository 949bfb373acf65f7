//! The rules of connections on paused time: the HTTP/1 service with its deadlines over pipes in memory.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

mod bounds;
mod client;
mod readers;
mod requests;
