//! A client of a Kuraka server.
//!
#![doc = include_str!("../README.md")]
//!
//! [`Kuraka`] has one method for each operation of the API, named after it. The operations, their fields and their codes
//! are documented at `/docs` of every server; the records are those of [`kuraka_api`].

mod client;
mod error;
mod operations;
mod results;
pub mod webhook;

pub use client::Kuraka;
pub use error::{Error, Result};
pub use kuraka_api as records;
pub use kuraka_domain::{Date, Ruc};
pub use results::Results;
