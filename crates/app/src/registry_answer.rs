//! What the lookups in the registry have in common: the edition that answered, and why there is no answer.

use std::sync::Arc;

use kuraka_domain::Ruc;
use kuraka_ports::{DatasetError, Edition, RegistrySnapshot, SourceError, TaxpayerRegistry};
use thiserror::Error;

use crate::AbsenceRule;

/// One edition's answer about one RUC.
#[derive(Clone, Debug)]
pub struct RegistryAnswer<T> {
    /// The edition that answered: that of the padrón.
    pub edition: Arc<Edition>,
    /// What is known of the taxpayer; `None` = the edition proves that the RUC does not exist.
    pub taxpayer: Option<T>,
}

/// What one dataset says about a taxpayer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetAnswer<T> {
    /// The label of the dataset's edition.
    pub label: Arc<str>,
    /// What it says.
    pub found: T,
}

/// Why a lookup has no answer.
#[derive(Debug, Error)]
pub enum LookupError {
    /// No edition has been imported.
    #[error("no edition of the registry has been imported")]
    NoEdition,
    /// The registry could not answer.
    #[error("the registry could not answer")]
    Registry(#[source] SourceError),
    /// The edition does not list the RUC, and is too old to prove that the RUC does not exist.
    #[error("edition {label} is {age_days} days old, too old to say that a RUC does not exist")]
    StaleMiss {
        /// The edition's label.
        label: Arc<str>,
        /// The edition's age in days.
        age_days: i32,
    },
    /// The dataset that would answer has no edition.
    #[error("no edition of the dataset {dataset} has been imported")]
    NoDataset {
        /// The dataset's name, such as `anexos`.
        dataset: &'static str,
    },
}

impl From<SourceError> for LookupError {
    fn from(error: SourceError) -> Self {
        Self::Registry(error)
    }
}

impl From<DatasetError> for LookupError {
    fn from(error: DatasetError) -> Self {
        match error {
            DatasetError::NoEdition { dataset } => Self::NoDataset { dataset },
            DatasetError::Source(error) => Self::Registry(error),
        }
    }
}

/// The registry, and the rule by which it proves an absence.
pub(crate) struct VerifiedRegistry {
    registry: Arc<dyn TaxpayerRegistry>,
    absence: AbsenceRule,
}

impl VerifiedRegistry {
    pub(crate) fn new(registry: Arc<dyn TaxpayerRegistry>, absence: AbsenceRule) -> Self {
        Self { registry, absence }
    }

    /// What `find` finds in the current snapshot about a RUC. If it finds nothing, the edition must prove the absence.
    pub(crate) fn answer<T>(
        &self,
        find: impl FnOnce(&Arc<dyn RegistrySnapshot>) -> Result<Option<T>, LookupError>,
    ) -> Result<RegistryAnswer<T>, LookupError> {
        let snapshot = self.registry.snapshot().ok_or(LookupError::NoEdition)?;
        let taxpayer = find(&snapshot)?;
        let edition = Arc::clone(snapshot.edition());
        if taxpayer.is_none()
            && let Some(age_days) = self.absence.too_old(&edition)
        {
            return Err(LookupError::StaleMiss { label: Arc::clone(&edition.label), age_days });
        }
        Ok(RegistryAnswer { edition, taxpayer })
    }

    /// What `find` finds in `dataset` about a RUC that the padrón has. The padrón decides whether the RUC exists, also
    /// if the dataset is missing.
    pub(crate) fn answer_of_known<T>(
        &self,
        ruc: Ruc,
        dataset: &'static str,
        find: impl FnOnce(&dyn RegistrySnapshot) -> Result<T, DatasetError>,
    ) -> Result<RegistryAnswer<DatasetAnswer<T>>, LookupError> {
        self.answer(|snapshot| {
            if snapshot.lookup(ruc)?.is_none() {
                return Ok(None);
            }
            let found = find(&**snapshot)?;
            let edition = snapshot.datasets().iter().find(|edition| edition.name == dataset);
            let label = Arc::clone(&edition.ok_or(LookupError::NoDataset { dataset })?.label);
            Ok(Some(DatasetAnswer { label, found }))
        })
    }
}
