//! The rules of connections on paused time: the HTTP/1 service with its deadlines over pipes in memory. One test has real
//! sockets: what the kernel passes on.

mod bounds;
mod client;
mod options;
mod readers;
mod requests;
