//! Builds a new edition from the published files.
//!
//! The padrón is read once, from start to end. Its rows are encoded and kept by range of row ids, then sorted and
//! written range by range, verified, and only then moved to their place. Peak memory is about the size of the encoded
//! rows. This module does not download files.

mod build;
mod digest;
mod directory;
mod draft;
mod encode;
mod error;
mod index;
pub(crate) mod lines;
mod lists;
pub(crate) mod marks;
mod padron;
mod parent;
mod partition;
mod progress;
mod rejections;
mod rejects;
mod report;
mod request;
mod row;
mod run;
mod sort;
pub(crate) mod source;
mod source_error;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod vocabulary;
mod word;

pub use error::ImportError;
pub(crate) use index::IndexWriter;
pub(crate) use partition::{PARTITION_BITS, PARTITION_GROUPS, PARTITIONS, Partition, Place};
pub use progress::{Advance, NoProgress, Progress, Stage};
pub use rejections::{RejectReason, Rejections};
pub use report::{DateOrigin, ImportReport};
pub use request::{ImportRequest, SourceFile};
pub use run::import;
pub(crate) use run::{import_on, is_plausible};
pub(crate) use sort::{Sorted, sort_all};
pub use source_error::SourceError;
pub(crate) use vocabulary::Vocabulary;
