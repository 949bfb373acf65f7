//! Tests of the real program: commands, settings, signals, kills. Each test has its own data folder and ports.
//! `program`, `http`, `balancer`, `files` and `publisher` support the tests.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests and their support code fail by panicking"
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
mod overload;
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
