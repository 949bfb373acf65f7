//! What all lookups in the published files share: why they fail, and when an absence is proven.

use std::sync::Arc;

use kuraka_ports::{Edition, RegistrySnapshot, SnapshotDataset, SourceError, TaxpayerRegistry, dataset};
use thiserror::Error;

use super::AgeLimits;

#[derive(Debug, Error)]
pub enum LookupError {
    #[error("no edition of the registry has been imported")]
    NoEdition,
    #[error("the registry could not answer")]
    Registry(#[from] SourceError),
    #[error("edition {label} is {age_days} days old, too old to say that a RUC does not exist")]
    StaleMiss { label: Arc<str>, age_days: i32 },
    #[error("the dataset {dataset} has no edition{}", if *is_damaged { " that is not damaged" } else { "" })]
    NoDataset { dataset: &'static str, is_damaged: bool },
    #[error("edition {label} of the dataset {dataset} is {age_days} days old, too old to answer")]
    OldDataset { dataset: &'static str, label: Arc<str>, age_days: i32 },
}

impl LookupError {
    /// That a dataset of the snapshot has no usable edition.
    pub(super) const fn no_dataset(state: &SnapshotDataset) -> Self {
        Self::NoDataset { dataset: state.name, is_damaged: state.is_damaged }
    }

    /// Why a snapshot does not answer with flags: `error`, unless a list is missing.
    pub(super) fn without_flags(snapshot: &dyn RegistrySnapshot, error: SourceError) -> Self {
        snapshot.missing_list().map_or(Self::Registry(error), Self::no_dataset)
    }
}

/// What the published files answer about a taxpayer, on any day, about lists of them, and about names.
pub struct LookupTaxpayer {
    pub(super) registry: Arc<dyn TaxpayerRegistry>,
    pub(super) ages: AgeLimits,
}

/// What one snapshot answers.
pub struct RegistryBatch {
    /// The files that are read or missing.
    pub snapshot: Arc<dyn RegistrySnapshot>,
    pub(super) ages: AgeLimits,
}

impl LookupTaxpayer {
    /// `ages` decides whether a missing RUC counts as absent, and whether a required dataset is recent enough.
    pub fn new(registry: Arc<dyn TaxpayerRegistry>, ages: AgeLimits) -> Self {
        Self { registry, ages }
    }
}

impl RegistryBatch {
    /// For a snapshot that the caller may read: an operator's command, or a charged call.
    pub fn new(snapshot: Arc<dyn RegistrySnapshot>, ages: AgeLimits) -> Self {
        Self { snapshot, ages }
    }
}

impl AgeLimits {
    /// That a RUC which this edition of the padrón does not have does not exist.
    pub(super) fn prove_absence(&self, padron: &Edition) -> Result<(), LookupError> {
        let stale = |age_days| Err(LookupError::StaleMiss { label: Arc::clone(&padron.label), age_days });
        self.too_old(dataset::PADRON, padron).map_or(Ok(()), stale)
    }
}
