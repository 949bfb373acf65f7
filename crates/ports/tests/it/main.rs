//! The fakes pass the contract suites.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod clock;
mod complete;
mod edition;
mod fakes;
