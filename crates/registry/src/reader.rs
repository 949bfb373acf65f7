//! Reads the published file of any dataset as typed rows, by its description; `padron` is the fast reader of the
//! padrón's lines.
//!
//! [`read`] finds the columns by the names in the header and refuses the file of another dataset. Bad lines are counted
//! by reason. Cells of dropped columns are not decoded and are in no row, report or error.

mod bad_lines;
mod cells;
mod convert;
mod decode;
mod error;
mod header;
mod line_reader;
pub(crate) mod padron;
mod report;
mod row_fields;
mod run;
mod shape;
mod sheet;
mod text_file;
mod windows_1252;

pub(crate) use bad_lines::RefusedLine;
pub use bad_lines::{BadLines, Reason};
pub use error::{FileProblemError, ReadError};
pub use kuraka_tables::XlsxError;
pub use report::Report;
pub use run::read;
pub(crate) use text_file::open;
pub(crate) use windows_1252::{fold, is_absent};
