//! The fakes pass the contract suites, and the values of the ports keep their rules.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod chain;
mod clock;
mod complete;
mod edition;
mod fakes;
mod feed_cursor;
mod watched;
