//! What the taxpayers of a dataset were in each of its earlier editions: the changes of all lists, by taxpayer.
//!
//! A *history* is one file beside the editions. A row has the changes of one taxpayer, the newest first, each with what
//! was there before, so that an earlier state follows from the edition that answers. Each publication extends it by the
//! changes of its list; it is never made of editions. The file format is described in `FORMAT.md`.

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
