//! What the sandbox promises to those who test and demonstrate with it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by panic")]

mod sample;
mod upstream;
