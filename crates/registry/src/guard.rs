//! Why a new edition is not published without force.

use kuraka_domain::Date;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GuardError {
    #[error("the file holds no acceptable row")]
    NoRows,
    #[error("the file holds {found} rows, fewer than {} % of the previous {previous}", percent(*least))]
    Shrunk {
        found: u64,
        previous: u64,
        /// The plausible share, in ten-thousandths.
        least: u16,
    },
    #[error("{rejected} of {lines} lines were rejected, more than {free} and more than {} %", percent(*most))]
    Rejected {
        rejected: u64,
        /// Lines read, without the header and the rows that are not kept.
        lines: u64,
        free: u64,
        /// The plausible share of all lines, in ten-thousandths.
        most: u16,
    },
    /// Taxpayers of the previous edition are missing.
    #[error(
        "of {sampled} taxpayers of the previous edition only {present} are present, fewer than {} %", percent(*least)
    )]
    KeysGone {
        sampled: u64,
        present: u64,
        /// The plausible share, in ten-thousandths.
        least: u16,
    },
    #[error(
        "of {compared} taxpayers in both editions {changed} have another status or condition, more than 100 and more \
         than {most} %"
    )]
    ValuesChanged { compared: u64, changed: u64, most: u64 },
    #[error("the file is dated {found}, before the active edition ({current})")]
    Older { found: Date, current: Date },
    #[error("the file is of {found}, which is later than tomorrow")]
    Future { found: Date },
    /// An operator rolled back this edition, or another one of the same file.
    #[error("an operator rolled back edition {label}, which has the same data or was made from the same file")]
    RolledBack { label: String },
    #[error("the sample would replace the published edition {current}")]
    SampleOverPublished { current: String },
}

fn percent(share: u16) -> f64 {
    f64::from(share) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_told_in_per_cent() {
        let few = GuardError::KeysGone { sampled: 1_000, present: 994, least: 9_950 }.to_string();
        assert_eq!(few, "of 1000 taxpayers of the previous edition only 994 are present, fewer than 99.5 %");
        let bad = GuardError::Rejected { rejected: 101, lines: 201_999, free: 100, most: 5 }.to_string();
        assert_eq!(bad, "101 of 201999 lines were rejected, more than 100 and more than 0.05 %");
    }
}
