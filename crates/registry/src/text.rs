//! A published file, zip or plain, as lines of text with its checksum.

mod directory;
mod error;
mod lines;
mod marks;
mod source;
mod windows_1252;

pub use error::SourceError;
pub(crate) use lines::{Ending, Line, Lines};
pub(crate) use marks::{Mark, Marks, TextSlice};
pub(crate) use source::{ReadText, Source};
pub(crate) use windows_1252::{Scratch, Undecodable, decode, fold, is_absent};
