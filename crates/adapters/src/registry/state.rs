//! The states of datasets, for operators, and what a look at their folders has changed.

use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_ports::EditionOrigin;
use kuraka_registry::dataset::Dataset;
use kuraka_registry::{OpenError, SkippedEdition};

/// Which edition of a dataset answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistryState {
    /// None, because none was ever published in its folder.
    NeverImported,
    /// The current one.
    Loaded,
    /// An earlier one, because the current one is unusable.
    Fallback,
    /// One whose file can no longer be read, so every lookup is an error. It is replaced as soon as another one is
    /// verified.
    Unreadable,
    /// None, because no edition in the folder is usable.
    Unusable,
}

/// The state of one dataset.
#[derive(Clone, Debug)]
pub struct DatasetState {
    /// The dataset.
    pub dataset: &'static Dataset,
    /// Which of its editions answers.
    pub state: RegistryState,
    /// The edition that answers; `None` = none does.
    pub edition: Option<ServedEdition>,
    /// For a list that the padrón's flags answer, because it has no edition of its own or an older one: the label of
    /// the edition that the padrón's importer took them from.
    pub in_padron: Option<Arc<str>>,
}

/// The facts of an edition that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedEdition {
    /// Its label.
    pub label: Arc<str>,
    /// The day it was published.
    pub date: Date,
    /// Real data, or the bundled sample.
    pub origin: EditionOrigin,
    /// Its rows.
    pub rows: u64,
}

/// What a look at the folders of all datasets has changed.
#[derive(Debug, Default)]
pub struct Refreshed {
    /// The datasets that answer from another edition now.
    pub served: Vec<&'static Dataset>,
    /// The datasets for which it failed. They answer as before.
    pub failed: Vec<Failed>,
}

/// What was done about damaged editions.
#[derive(Debug, Default)]
pub struct Replacements {
    /// The editions that were replaced.
    pub replaced: Vec<Replaced>,
    /// The datasets whose damaged edition stays, because the attempt failed.
    pub failed: Vec<Failed>,
}

/// An edition that was damaged while it answered, and was replaced.
#[derive(Debug)]
pub struct Replaced {
    /// Its dataset.
    pub dataset: &'static Dataset,
    /// Its label.
    pub label: Arc<str>,
    /// The unusable editions that come before the one that answers now.
    pub skipped: Vec<SkippedEdition>,
}

/// A dataset, and why its editions could not be used.
#[derive(Debug)]
pub struct Failed {
    /// The dataset.
    pub dataset: &'static Dataset,
    /// Why.
    pub error: OpenError,
}

impl Refreshed {
    /// What each dataset's attempt has changed.
    pub(super) fn of(attempts: Vec<(&'static Dataset, Result<bool, OpenError>)>) -> Self {
        let mut done = Self::default();
        for (dataset, attempt) in attempts {
            match attempt {
                Ok(true) => done.served.push(dataset),
                Ok(false) => {}
                Err(error) => done.failed.push(Failed { dataset, error }),
            }
        }
        done
    }
}
