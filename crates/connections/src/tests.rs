//! The rules of connections on paused time: the HTTP/1 service with its deadlines over pipes in memory.

mod bounds;
mod client;
mod readers;
mod requests;
