//! A published file, zip or plain, as lines of text with its checksum.

mod directory;
mod error;
mod hand_over;
mod lines;
mod marks;
mod source;

pub use error::SourceError;
pub(crate) use hand_over::hand_over;
pub(crate) use lines::{Line, Lines};
pub(crate) use marks::{Mark, MarkedText, Marks, TextSlice};
pub(crate) use source::{ReadText, Source};
