//! The state of every dataset, for readiness, metrics and people.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::DatasetRole;
use serde::{Deserialize, Serialize};

use crate::Edition;

/// Texts for people are Spanish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetStatus {
    /// Such as `anexos`.
    pub name: &'static str,
    pub role: DatasetRole,
    pub title: &'static str,
    /// Names its source to readers.
    pub attribution: &'static str,
    /// Whether `/ruc`, and so readiness, needs it.
    pub is_required: bool,
    /// What callers get without an edition.
    pub when_absent: &'static str,
    /// What callers get while the edition is too old.
    pub when_too_old: &'static str,
    pub state: DatasetState,
    pub edition: Option<Arc<Edition>>,
    /// Whether the history is missing or behind the edition.
    pub lacks_history: bool,
    pub age_days: Option<i32>,
    /// The setting; `None` = no limit.
    pub max_age_days: Option<u32>,
    pub is_too_old: bool,
    pub last_attempt: Option<DatasetAttempt>,
    /// When this process updates it next; `None` = it does not.
    pub next_update: Option<Timestamp>,
    /// The update in progress in this process.
    pub progress: Option<DatasetProgress>,
}

impl DatasetStatus {
    /// That of the padrón.
    pub fn of_padron(statuses: &[Self]) -> Option<&Self> {
        statuses.iter().find(|status| status.role == DatasetRole::Summary)
    }
}

crate::words! {
    /// As words: in metrics and in `/readyz`.
    pub enum DatasetState {
        /// Nothing: this server lacks the dataset.
        NotEnabled = "not enabled",
        /// Nothing: no edition was ever published.
        NeverImported = "never imported",
        Loaded = "loaded",
        /// An earlier edition, because the current one is unusable.
        Fallback = "fallback",
        /// An edition whose file can no longer be read, until another one is verified. Every lookup is an error, but a
        /// list's flags stay right: its members are in memory.
        Unreadable = "unreadable",
        /// Nothing, because no edition is usable.
        Unusable = "unusable",
    }
}

impl DatasetState {
    /// Whether calls that need the dataset are answered.
    #[must_use]
    pub const fn answers(self) -> bool {
        match self {
            Self::Loaded | Self::Fallback | Self::NotEnabled => true,
            Self::NeverImported | Self::Unreadable | Self::Unusable => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetAttempt {
    pub at: Timestamp,
    #[serde(flatten)]
    pub outcome: AttemptOutcome,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum AttemptOutcome {
    Published {
        edition: String,
    },
    /// The publisher's file was imported last, too.
    Unchanged,
    Failed {
        /// With its causes.
        cause: String,
        /// The cause in one Spanish sentence.
        reason: String,
        /// Whether later attempts fail too until the operator does something or the publisher has another file.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        needs_operator: bool,
        /// Whether only the importer's guards refused the file, which `--force` overrides.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        force_helps: bool,
    },
}

impl AttemptOutcome {
    /// In metrics and JSON.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Published { .. } => "published",
            Self::Unchanged => "unchanged",
            Self::Failed { .. } => "failed",
        }
    }

    /// Whether the dataset could not be brought up to date.
    pub const fn is_failure(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }
}

impl fmt::Display for AttemptOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Published { edition } => write!(f, "published {edition}"),
            Self::Unchanged => f.write_str("unchanged"),
            Self::Failed { cause, .. } => write!(f, "failed: {cause}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DatasetProgress {
    /// `download`, `reading`, `index`, `verification`, `changes` or `publication`.
    pub stage: &'static str,
    /// 0 to 100; `None` = unknown.
    pub percent: Option<u8>,
}
