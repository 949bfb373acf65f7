//! Looks up a taxpayer in the published files, for every operation that the registry answers.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerProfile};
use kuraka_ports::{Edition, ProfileParts, RegistrySnapshot, SnapshotDataset, SourceError, TaxpayerRegistry, dataset};
use thiserror::Error;

use super::AgeLimits;
use crate::ChargedCall;

pub struct RegistryAnswer {
    /// `None` = the padrón proves that the RUC does not exist.
    pub taxpayer: Option<TaxpayerProfile>,
    /// The required dataset's edition for a taxpayer, else the padrón's.
    pub edition: Arc<Edition>,
    /// The snapshot that answered.
    pub snapshot: Arc<dyn RegistrySnapshot>,
}

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

impl LookupTaxpayer {
    /// `ages` decides whether a missing RUC counts as absent, and whether a required dataset is recent enough.
    pub fn new(registry: Arc<dyn TaxpayerRegistry>, ages: AgeLimits) -> Self {
        Self { registry, ages }
    }

    /// The parts about `ruc`, from one snapshot. A part without an edition is `None`, unless `required` names its
    /// dataset.
    ///
    /// # Errors
    /// [`LookupError`] if the padrón cannot prove whether the RUC exists, a file cannot be read, the required dataset is
    /// missing or too old, or `parts` have flags and a list is missing.
    pub fn run(
        &self,
        _call: &ChargedCall,
        ruc: Ruc,
        parts: ProfileParts,
        required: Option<&'static str>,
    ) -> Result<RegistryAnswer, LookupError> {
        let snapshot = self.registry.snapshot().ok_or(LookupError::NoEdition)?;
        let taxpayer = snapshot.profile(ruc, parts).map_err(|error| match parts.has(ProfileParts::FLAGS) {
            true => LookupError::without_flags(&*snapshot, error),
            false => error.into(),
        })?;
        let edition = Arc::clone(snapshot.edition());
        // The padrón decides whether the RUC exists.
        let edition = match (&taxpayer, required) {
            (None, _) => self.ages.prove_absence(&edition).map(|()| edition)?,
            (Some(_), None) => edition,
            (Some(_), Some(dataset)) => self.edition_of(dataset, &*snapshot)?,
        };
        Ok(RegistryAnswer { taxpayer, edition, snapshot })
    }

    fn edition_of(&self, dataset: &'static str, snapshot: &dyn RegistrySnapshot) -> Result<Arc<Edition>, LookupError> {
        let state = snapshot.dataset(dataset).ok_or(LookupError::NoDataset { dataset, is_damaged: false })?;
        let edition = state.edition.clone().ok_or_else(|| LookupError::no_dataset(state))?;
        match self.ages.too_old(dataset, &edition) {
            Some(age_days) => Err(LookupError::OldDataset { dataset, label: Arc::clone(&edition.label), age_days }),
            None => Ok(edition),
        }
    }
}

impl AgeLimits {
    /// That a RUC which this edition of the padrón does not have does not exist.
    pub(super) fn prove_absence(&self, padron: &Edition) -> Result<(), LookupError> {
        let stale = |age_days| Err(LookupError::StaleMiss { label: Arc::clone(&padron.label), age_days });
        self.too_old(dataset::PADRON, padron).map_or(Ok(()), stale)
    }
}
