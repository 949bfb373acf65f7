//! Status and condition of each company in every month of the open data that was read.
//!
//! The *monthly history* is one file beside the editions (`FORMAT.md`). A row has the months in which a company differs
//! from the previous known month. A month is added from a published file or from an edition, in any order.

mod events;
mod extend;
mod file;
mod month;
mod read;

pub use extend::{MonthError, add_file};
pub(crate) use extend::{add_edition, update};
pub use file::{MonthState, Months};
pub use month::Month;
