//! Looking up a taxpayer's summary: the embedded registry, and nothing else.

use std::sync::Arc;

use kuraka_domain::Ruc;
use kuraka_ports::{RegistryAnswer, SourceError, TaxpayerRegistry};
use thiserror::Error;

use crate::{AbsenceRule, Grant};

/// Why it could not be found out.
#[derive(Debug, Error)]
pub enum SummaryError {
    /// The registry could not answer.
    #[error("the registry could not answer")]
    Registry(#[source] SourceError),
    /// The RUC is missing in an edition that is too old for its silence to mean anything.
    #[error("edition {label} is {age_days} days old, too old to say that a RUC does not exist")]
    StaleMiss {
        /// The edition.
        label: Arc<str>,
        /// Its age.
        age_days: i32,
    },
}

/// The use case behind `POST /ruc`.
pub struct LookupSummary {
    registry: Arc<dyn TaxpayerRegistry>,
    absence: AbsenceRule,
}

impl LookupSummary {
    /// `absence` decides whether a RUC that the edition misses counts as absent.
    #[must_use]
    pub fn new(registry: Arc<dyn TaxpayerRegistry>, absence: AbsenceRule) -> Self {
        Self { registry, absence }
    }

    /// What the registry says about `ruc`; no taxpayer in the answer = it positively does not exist.
    ///
    /// # Errors
    /// [`SummaryError`]: it could not be found out.
    pub async fn run(&self, _grant: &Grant, ruc: Ruc) -> Result<RegistryAnswer, SummaryError> {
        let answer = self.registry.summary(ruc).await.map_err(SummaryError::Registry)?;
        if answer.taxpayer.is_some() {
            return Ok(answer);
        }
        match self.absence.too_old(&answer.edition) {
            None => Ok(answer),
            Some(age_days) => Err(SummaryError::StaleMiss { label: Arc::clone(&answer.edition.label), age_days }),
        }
    }
}
