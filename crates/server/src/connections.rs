//! The connections of both listeners: how many there may be, how long each may wait, and how much memory it may hold.
//!
//! `stream` wraps the socket below the HTTP/1 service and enforces the deadlines. It does not parse HTTP: `requests`
//! wraps the application above the HTTP/1 service and tells the stream, through an `exchange` that both share, when a
//! request has begun, its body has ended and its answer is complete. `table` bounds the number of connections.

mod exchange;
mod file_limit;
mod group;
mod requests;
mod server;
mod socket;
mod stream;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use file_limit::{connections_within, raise as raise_file_limit};
pub(crate) use server::{Listener, listen, serve};
