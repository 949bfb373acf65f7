//! The API's contract: records parse and serialise, and descriptions are consistent.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test's helpers fail by panicking"
)]

mod legacy;
mod openapi;
mod operations;
mod profile;
mod record;
mod records;
