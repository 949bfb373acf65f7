//! The fakes pass the contract suites, and their controls work.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod clock;
mod complete;
mod edition;
mod fakes;
mod levers;
mod source;
