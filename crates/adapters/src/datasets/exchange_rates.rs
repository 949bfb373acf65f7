//! The exchange rates: what their two sources say, the file that keeps it, and its update. Which rate holds on a day is
//! decided in `kuraka-app`.

mod file;
mod sources;
mod update;

pub use file::{RecordError, file, read, write_sample};
pub use sources::{RateAnswerError, read_series, read_text};
pub use update::{RateUpdate, RateUpdateError, SERIES_URL};
