//! A file of rows sorted by row id, in deflated blocks: change lists, histories and months (`FORMAT.md`).
//!
//! The row ids of a block are not deflated, so a missing row is known without inflating. The file is read by system
//! calls, not mapped: truncating an open file gives errors.

mod error;
mod header;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use error::BlockError;
pub(crate) use header::FileKind;
pub(crate) use read::BlockFile;
pub(crate) use write::{BlockWriter, write};
