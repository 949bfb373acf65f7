//! The panel as a browser sees it, over fakes and a clock that only moves when told.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test's helpers fail by panicking"
)]

mod browser;
mod stage;

mod access;
mod assets;
mod escaping;
mod forgery;
mod headers;
mod other_peoples_numbers;
mod pages;
mod passwords;
mod sessions;
mod surplus_fields;
mod tokens;
mod usage;
