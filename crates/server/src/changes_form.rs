//! The forms in which `kuraka dataset changes` prints.

use clap::ValueEnum;

/// The form of printed changes.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ChangesForm {
    /// CSV with a header line.
    Csv,
    /// One JSON object per line.
    Ndjson,
}
