#![doc = include_str!("../README.md")]
#![expect(missing_docs, reason = "not published: a name or the text of an error may say it all")]

pub mod address;
pub mod backup;
pub mod clock;
pub mod datasets;
pub mod download;
pub mod files;
pub mod http;
pub mod layers;
pub mod mail;
pub mod passwords;
mod single_flight;
pub mod sources;
pub mod store;
pub mod webhooks;
