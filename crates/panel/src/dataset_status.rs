//! The official datasets, as the status page shows them: what each answers from, and how its last update ended.

use jiff::Timestamp;
use kuraka_domain::Date;

/// A dataset as callers may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetStatus {
    /// Its name in commands, settings and answers.
    pub name: &'static str,
    /// What it is, in Spanish.
    pub title: &'static str,
    /// The text that names its source, in Spanish.
    pub attribution: &'static str,
    /// What answers.
    pub state: DatasetState,
    /// The edition that answers.
    pub edition: Option<DatasetEdition>,
    /// Whether the edition is older than its rhythm of publication explains.
    pub is_overdue: bool,
    /// The last attempt to update it; `None` = none is known.
    pub last_attempt: Option<DatasetAttempt>,
}

/// What answers for a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetState {
    /// The current edition.
    Loaded,
    /// An earlier edition, because the current one is unusable.
    Fallback,
    /// An edition whose file can no longer be read, so every lookup is an error.
    Unreadable,
    /// None: no edition is usable.
    Unusable,
    /// For a list: the flags that were imported with the padrón, because the list has no edition of its own.
    InPadron,
    /// None: no edition was ever published here.
    NeverImported,
    /// None: the settings leave the dataset out.
    NotEnabled,
}

impl DatasetState {
    /// Every state.
    pub const ALL: [Self; 7] = [
        Self::Loaded,
        Self::Fallback,
        Self::Unreadable,
        Self::Unusable,
        Self::InPadron,
        Self::NeverImported,
        Self::NotEnabled,
    ];

    /// Its name in `/readyz` and in the metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Fallback => "fallback",
            Self::Unreadable => "unreadable",
            Self::Unusable => "unusable",
            Self::InPadron => "in the padron",
            Self::NeverImported => "never imported",
            Self::NotEnabled => "not enabled",
        }
    }
}

/// The edition that answers for a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetEdition {
    /// The day it was published.
    pub date: Date,
    /// Days since then.
    pub age_days: i32,
    /// Its rows.
    pub rows: u64,
    /// Whether it is the bundled sample.
    pub is_sample: bool,
}

/// An attempt to update a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatasetAttempt {
    /// When it ended.
    pub at: Timestamp,
    /// How it ended.
    pub result: AttemptResult,
}

/// How an attempt to update a dataset ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptResult {
    /// An edition was published.
    Published,
    /// The publisher has no newer file.
    Unchanged,
    /// It failed or was refused; the edition before answers. The log has the reason.
    Failed,
}

/// Lists the datasets. Never blocks.
pub trait Datasets: Send + Sync + 'static {
    /// Every dataset, the padrón first.
    fn datasets(&self) -> Vec<DatasetStatus>;
}
