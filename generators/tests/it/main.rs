//! What the generators promise to tests and benchmarks.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by panic")]

mod editions;
mod files;
mod generators;
mod padron;
mod program;
