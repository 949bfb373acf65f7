//! Reasons not to publish a new edition without force.

use kuraka_domain::Date;
use thiserror::Error;

/// A reason not to publish without force.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Guard {
    /// The padrón has no acceptable row.
    #[error("the padrón holds no acceptable row")]
    NoRows,
    /// A list is empty, so every answer for it would change to NO.
    #[error("the list {name} holds no valid RUC")]
    EmptyList {
        /// The list, as the request named it.
        name: String,
    },
    /// Far fewer rows than before.
    #[error("the padrón holds {found} rows, fewer than 99 % of the previous {previous}")]
    Shrunk {
        /// Rows found.
        found: u64,
        /// Rows of the current edition.
        previous: u64,
    },
    /// Too many unreadable lines.
    #[error("{rejected} of {lines} lines were rejected, more than 100 and more than 0.05 %")]
    Rejected {
        /// Lines rejected.
        rejected: u64,
        /// Lines read, header aside.
        lines: u64,
    },
    /// Taxpayers of the previous edition are missing.
    #[error("of {sampled} taxpayers of the previous edition only {present} are present, fewer than 99.5 %")]
    KeysGone {
        /// Old taxpayers in the sample.
        sampled: u64,
        /// Old taxpayers of the sample that were found.
        present: u64,
    },
    /// Too many taxpayers have another status or condition than in the previous edition.
    #[error(
        "of {compared} taxpayers in both editions {changed} have another status or condition, more than 100 and more \
         than 5 %"
    )]
    ValuesChanged {
        /// Old taxpayers of the sample that were found.
        compared: u64,
        /// Those with another status or condition.
        changed: u64,
    },
    /// The padrón is older than the current edition.
    #[error("the padrón is of {found}, the current edition of {current}")]
    Older {
        /// The padrón's date.
        found: Date,
        /// The current edition's date.
        current: Date,
    },
    /// An operator rolled back this edition.
    #[error("edition {label} was rolled back from")]
    RolledBack {
        /// The edition's label.
        label: String,
    },
    /// The bundled sample would replace real data.
    #[error("the sample would replace the published edition {current}")]
    SampleOverPublished {
        /// The current edition's label.
        current: String,
    },
}
