//! Tests of the real program: commands, settings, signals, kills. Each test has its own data folder and ports.
//! `program`, `http`, `balancer`, `browser`, `files`, `lines`, `load`, `nginx`, `publisher`, `small_disk`, `sources` and
//! `test_times` support the tests.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests and their support code fail by panicking"
)]

mod backfill;
mod balancer;
mod browser;
mod files;
mod http;
#[path = "../../../../tests/imported.rs"]
mod imported;
mod lines;
mod load;
#[expect(dead_code, reason = "a test of the adapters uses the rest")]
#[path = "../../../../tests/mailbox.rs"]
mod mailbox;
mod mcp;
mod nginx;
#[path = "../../../../tests/postgres.rs"]
mod postgres;
mod program;
mod publisher;
#[path = "../../../../tests/reliability.rs"]
mod reliability;
mod small_disk;
mod sources;
mod test_times;

mod accounts;
mod audit;
mod backups;
mod behind_nginx;
mod canaries;
mod certificates;
mod config;
mod dataset_changes;
mod dataset_list;
mod datasets;
mod demo;
mod doctor;
mod editions;
mod fetched;
mod first_start;
mod flood;
mod hostile;
mod killed;
mod killed_batches;
mod killed_deliveries;
mod killed_imports;
mod killed_lists;
mod killed_mails;
mod log_failures;
mod lookup;
mod lookup_file;
mod lookup_workbook;
mod mail;
mod openapi;
mod operations;
mod pages;
mod paused;
mod places;
mod power_loss;
mod proxies;
mod rate;
mod reload;
mod rights;
mod rolling_restart;
mod search;
mod serving;
mod signals;
mod slow_readers;
mod smuggling;
mod soak;
mod source_canaries;
mod starting;
mod stores;
mod terminal;
mod tokens;
mod truncated;
mod unwritable;
mod update;
mod upgrade;
mod vouchers;
mod webhooks;
