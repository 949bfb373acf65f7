//! The states of datasets, for operators.

use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_ports::EditionOrigin;
use kuraka_registry::dataset::Dataset;

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
    /// For a list without an edition of its own: the label of the edition that imported it into the padrón, whose
    /// flags answer instead.
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
