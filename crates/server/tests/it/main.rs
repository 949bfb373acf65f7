//! The real program, as an operator meets it: commands, settings, signals, kills. Each test has a data folder and
//! ports of its own. `program`, `http`, `balancer`, `files` and `publisher` are the language they speak.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test's own machinery stops at the first surprise"
)]

mod balancer;
mod files;
mod http;
#[path = "../../../../tests/postgres.rs"]
mod postgres;
mod program;
mod publisher;
#[path = "../../../../tests/reliability.rs"]
mod reliability;

mod accounts;
mod canaries;
mod config;
mod demo;
mod editions;
mod fetched;
mod hostile;
mod killed;
mod openapi;
mod operations;
mod pages;
mod panics;
mod paused;
mod proxies;
mod registry;
mod rolling_restart;
mod serving;
mod signals;
mod starting;
mod stores;
mod tokens;
mod update;
mod vouchers;
