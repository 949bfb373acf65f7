//! The registry through its public interface: files in, editions out, look-ups.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "the helpers of tests fail as tests do"
)]

mod bad_lines;
mod bad_sources;
mod damage;
mod folder;
mod guards;
mod lists;
mod rows;
mod workspace;
