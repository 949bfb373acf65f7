//! Why a new edition is not published without force.

use kuraka_domain::Date;
use thiserror::Error;

use crate::dataset::GuardLimits;

/// A reason not to publish without force.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GuardError {
    /// The file has no acceptable row.
    #[error("the file holds no acceptable row")]
    NoRows,
    /// Far fewer rows than before.
    #[error("the file holds {found} rows, fewer than {} % of the previous {previous}", percent(*least))]
    Shrunk {
        /// Rows found.
        found: u64,
        /// Rows of the current edition.
        previous: u64,
        /// The plausible share, in ten-thousandths.
        least: u16,
    },
    /// Too many unreadable lines.
    #[error("{rejected} of {lines} lines were rejected, more than {free} and more than {} %", percent(*most))]
    Rejected {
        /// Lines rejected.
        rejected: u64,
        /// Lines read, without the header and the rows that are not kept.
        lines: u64,
        /// Rejected lines that are never suspicious.
        free: u64,
        /// The plausible share of all lines, in ten-thousandths.
        most: u16,
    },
    /// Taxpayers of the previous edition are missing.
    #[error(
        "of {sampled} taxpayers of the previous edition only {present} are present, fewer than {} %", percent(*least)
    )]
    KeysGone {
        /// Taxpayers in the sample.
        sampled: u64,
        /// Those in the new edition.
        present: u64,
        /// The plausible share, in ten-thousandths.
        least: u16,
    },
    /// Too many taxpayers have another status or condition.
    #[error(
        "of {compared} taxpayers in both editions {changed} have another status or condition, more than 100 and more \
         than {most} %"
    )]
    ValuesChanged {
        /// Sampled taxpayers in both editions.
        compared: u64,
        /// Those with another status or condition.
        changed: u64,
        /// The plausible percentage.
        most: u64,
    },
    /// The file is older than the current edition.
    #[error("the file is dated {found}, before the active edition ({current})")]
    Older {
        /// The file's date.
        found: Date,
        /// The current edition's date.
        current: Date,
    },
    /// The file is dated later than tomorrow.
    #[error("the file is of {found}, which is later than tomorrow")]
    Future {
        /// The file's date.
        found: Date,
    },
    /// An operator rolled back this edition, or another one of the same file.
    #[error("an operator rolled back edition {label}, which has the same data or was made from the same file")]
    RolledBack {
        /// The rolled-back edition's label.
        label: String,
    },
    /// The bundled sample would replace real data.
    #[error("the sample would replace the published edition {current}")]
    SampleOverPublished {
        /// The current edition's label.
        current: String,
    },
}

impl GuardError {
    pub(crate) fn check_lines(limits: GuardLimits, rejected: u64, lines: u64) -> Option<Self> {
        let GuardLimits { rejected_free: free, rejected: most, .. } = limits;
        limits.has_too_many_rejects(rejected, lines).then_some(Self::Rejected { rejected, lines, free, most })
    }

    pub(crate) fn check_rows(limits: GuardLimits, found: u64, previous: u64) -> Option<Self> {
        limits.has_shrunk(found, previous).then_some(Self::Shrunk { found, previous, least: limits.rows_kept })
    }
}

/// A guard that refuses a file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{dataset}: {guard}")]
pub struct RefusedFileError {
    /// The dataset's name.
    pub dataset: &'static str,
    /// The guard.
    pub guard: GuardError,
}

fn percent(share: u16) -> f64 {
    f64::from(share) / 100.0
}
