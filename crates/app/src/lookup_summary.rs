//! Looking up a taxpayer's summary in the embedded registry.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerSummary};
use kuraka_ports::{Edition, SourceError, TaxpayerRegistry};
use thiserror::Error;

use crate::{AbsenceRule, Grant};

/// One edition's answer about one RUC.
#[derive(Clone, Debug)]
pub struct SummaryAnswer {
    /// The edition that answered.
    pub edition: Arc<Edition>,
    /// The taxpayer; `None` = the edition proves that the RUC does not exist.
    pub taxpayer: Option<TaxpayerSummary>,
}

/// Why a lookup has no answer.
#[derive(Debug, Error)]
pub enum SummaryError {
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
}

/// The use case behind `POST /ruc`.
pub struct LookupSummary {
    registry: Arc<dyn TaxpayerRegistry>,
    absence: AbsenceRule,
}

impl LookupSummary {
    /// `absence` decides whether a RUC that is not in the edition counts as absent.
    #[must_use]
    pub fn new(registry: Arc<dyn TaxpayerRegistry>, absence: AbsenceRule) -> Self {
        Self { registry, absence }
    }

    /// The registry's answer about `ruc`; if it contains no taxpayer, the RUC does not exist.
    ///
    /// # Errors
    /// [`SummaryError`] if the registry cannot tell whether the RUC exists.
    pub fn run(&self, _grant: &Grant, ruc: Ruc) -> Result<SummaryAnswer, SummaryError> {
        let snapshot = self.registry.snapshot().ok_or(SummaryError::NoEdition)?;
        let edition = Arc::clone(snapshot.edition());
        let taxpayer = snapshot.lookup(ruc).map_err(SummaryError::Registry)?;
        if taxpayer.is_none()
            && let Some(age_days) = self.absence.too_old(&edition)
        {
            return Err(SummaryError::StaleMiss { label: Arc::clone(&edition.label), age_days });
        }
        Ok(SummaryAnswer { edition, taxpayer })
    }
}
