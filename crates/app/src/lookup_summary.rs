//! Looking up a taxpayer's summary: the embedded registry, and nothing else.

use std::sync::Arc;

use kuraka_domain::Ruc;
use kuraka_ports::{Clock, RegistryAnswer, SourceError, TaxpayerRegistry};
use thiserror::Error;

use crate::Grant;

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
    clock: Arc<dyn Clock>,
    max_age_days: Option<u32>,
}

impl LookupSummary {
    /// `max_age_days`: how old an edition may be for a missing RUC to count as absent; `None` = any age.
    #[must_use]
    pub fn new(registry: Arc<dyn TaxpayerRegistry>, clock: Arc<dyn Clock>, max_age_days: Option<u32>) -> Self {
        Self { registry, clock, max_age_days }
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
        match answer.edition.overdue(self.clock.now(), self.max_age_days) {
            None => Ok(answer),
            Some(age_days) => Err(SummaryError::StaleMiss { label: Arc::clone(&answer.edition.label), age_days }),
        }
    }
}
