//! A file of rows that are sorted by row id: change lists, histories and months.
//!
//! The rows are in blocks, each of which is deflated and has a checksum. The row ids of a block are not deflated, so that
//! a row that is not there is known without inflating. A file is verified as a whole when it is opened, and each block again
//! when it is read. It is read by system calls, not mapped: a file that is truncated while it is open gives errors. The
//! format is described in `FORMAT.md`.

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
