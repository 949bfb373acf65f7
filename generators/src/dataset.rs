//! Generators of the datasets besides the padrón, of any size, about the taxpayers of a generated padrón.
//!
//! A generator makes records, the same for the same seed; [`TextForm`] writes their cells as lines in one of the forms
//! that were published. Shares and widths follow what is known of the published files. Everything is invented.

mod activity;
mod annex;
mod incapacity;
mod list_entry;
mod open_data;
mod sanction;
mod text_form;

pub use annex::{ANNEX_COLUMNS, Annex, annexes};
pub use incapacity::{INCAPACITY_COLUMNS, Incapacity, incapacities};
pub use list_entry::{LIST_COLUMNS, ListEntry, Since, list_entries};
pub use open_data::{OPEN_DATA_COLUMNS, OpenDataRow, open_data, open_data_after};
pub use sanction::{SANCTION_COLUMNS, Sanction, sanctions};
pub use text_form::{Encoding, TextForm};
