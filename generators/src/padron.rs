//! A generator of padrones of any size, in the exact form of the published file.
//!
//! Prefixes, statuses, vocabulary, placeholders and quirks occur as often as in the published file, so that tests and
//! measurements on a generated padrón hold for the real one. The same seed always gives the same bytes.
//! [`Padron::next_edition`] gives the file of another day, with some rows changed and some new rows at the end.
//! RUCs are valid, unique and unordered; names are combined at random and belong to no person or company.

pub(crate) mod address;
mod file;
pub(crate) mod name;
mod number;
mod parameters;
pub(crate) mod quirk;
pub(crate) mod random;
mod row;
mod status;
mod word;

pub use file::{HEADER, ZIP_ENTRY, write_text};
pub use parameters::Padron;
pub use row::{Row, Rows, Rucs};
