//! From the published files to a new edition.
//!
//! The file is read once, front to back: its rows are encoded and set aside by range of numbers, then sorted and
//! written range by range, verified, and only then moved to their place. Memory stays at the size of the encoded
//! rows. This module refuses to know where the files come from.

pub(crate) mod digest;
mod draft;
mod encode;
mod error;
pub(crate) mod guard;
mod index;
mod lines;
mod list;
mod padron;
mod parent;
mod partition;
mod publish;
mod rejects;
mod report;
mod request;
mod row;
mod sort;
mod source;
#[cfg(test)]
mod tests;
mod text;
mod vocabulary;
mod word;

pub use error::{Guard, ImportError, SourceError};
pub use publish::import;
pub use report::{DateOrigin, ImportReport, Outcome, RejectReason, Rejections};
pub use request::{Advance, ImportRequest, NoProgress, Progress, SourceFile, Stage};
