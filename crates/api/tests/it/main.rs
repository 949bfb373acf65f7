//! The contract as its clients use it: records that are read back, descriptions that fit together.

#![allow(clippy::expect_used, reason = "a test's helpers fail by panicking")]

mod operations;
mod records;
