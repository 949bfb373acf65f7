#![doc = include_str!("../README.md")]
#![expect(missing_docs, reason = "not published: a name or the text of an error may say it all")]

pub mod admin;
pub mod application;
pub mod background;
pub mod bootstrap;
pub mod http;
pub mod logs;
pub mod metrics;
pub mod operator;
mod panics;
pub mod progress;
mod reload;
mod serve;
pub mod settings;
mod systemd;

pub use serve::{serve, stop_signal};
