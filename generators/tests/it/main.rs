//! What the generators promise to tests and benchmarks.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

mod generators;
mod names;
mod padron;
mod program;
