//! The states of taxpayers in earlier editions: the changes of all lists, by taxpayer.
//!
//! A *history* is one file beside the editions (`FORMAT.md`). A row has a taxpayer's changes, newest first, each with
//! the values before it, so that an earlier state follows from the current edition. Each publication extends it by its
//! change list.

mod chain;
mod error;
mod event;
mod extend;
mod facts;
mod file;
mod forget;
mod update;
mod versions;

pub use error::HistoryError;
pub use file::History;
pub(crate) use forget::forget;
pub(crate) use update::{extend_to, update};
