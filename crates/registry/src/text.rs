//! A published file as lines of text: zip or plain, with its checksum, split into lines, in windows-1252.
//!
//! This module does not know which columns a line has.

mod digest;
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
