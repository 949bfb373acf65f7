//! What the monthly open data said of each company: status and condition as published, in every month that was read.
//!
//! The *monthly history* is one file beside the editions of the open data. A row has the months in which a company differs
//! from the known month before. A month is added from a published file, which is
//! then not needed any more, or from an edition that is published. The order in which months are added does not matter.
//! The file format is described in `FORMAT.md`.

mod events;
mod extend;
mod file;
mod month;
mod read;

pub use extend::{MonthError, add_file};
pub(crate) use extend::{add_edition, update};
pub use file::{MonthState, Months};
pub use month::Month;
