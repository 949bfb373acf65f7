//! VerifyAbsence: what a source's "not found" is worth, given what the registry knows. Records pass untouched.
//!
//! The registry lists every RUC ever given, up to its edition's day. A source that does not find a RUC which the
//! registry knows has lost its way: a changed page, a search that half failed. Its "not found" becomes `Unreadable`,
//! so that the next source is asked. A RUC that the registry misses may be new, so silence proves less:
//!
//! | "not found" from | registry knows the RUC | fresh edition misses it | overdue edition misses it | no edition |
//! |---|---|---|---|---|
//! | the official page | `Unreadable` | stands | stands | stands |
//! | a provider | `Unreadable` | stands | `Unavailable` | `Unavailable` |
//!
//! An edition that cannot be read confirms nothing, for either.
//!
//! This layer sits innermost, right around its source. Inside the breaker, because a contradicted "not found" must
//! count there like any other unreadable answer; inside the timeout, because a source's time includes the proof of
//! what it says. What is merely unconfirmed is not the source's fault, and says so with [`Blameless`].

use std::sync::Arc;

use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{Clock, DetailAnswer, DetailOrigin, SourceError, SourceErrorKind, TaxpayerRegistry, TaxpayerSource};
use thiserror::Error;

use super::Blameless;
use crate::chain::chain;

/// A source whose "not found" is checked against the registry.
///
/// Cancellation: nothing is held, dropping drops the question.
pub struct VerifyAbsence {
    inner: Arc<dyn TaxpayerSource>,
    registry: Arc<dyn TaxpayerRegistry>,
    max_age_days: Option<u32>,
    clock: Arc<dyn Clock>,
}

/// The source does not find a RUC that the registry knows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("says that the RUC does not exist, but edition {edition} has it")]
pub struct Contradicted {
    /// The label of the edition that knows better.
    pub edition: Arc<str>,
}

/// What the registry makes of a "not found".
enum Witness {
    Contradicts(Arc<str>),
    Confirms,
    Overdue,
    NoEdition,
    CannotRead(SourceError),
}

impl VerifyAbsence {
    /// `max_age_days`: how old an edition may be for a RUC it misses to count as absent; `None` = any age.
    #[must_use]
    pub fn new(
        inner: Arc<dyn TaxpayerSource>,
        registry: Arc<dyn TaxpayerRegistry>,
        max_age_days: Option<u32>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { inner, registry, max_age_days, clock }
    }

    fn witness(&self, ruc: Ruc) -> Witness {
        let Some(snapshot) = self.registry.snapshot() else { return Witness::NoEdition };
        match snapshot.lookup(ruc) {
            Err(error) => Witness::CannotRead(error),
            Ok(Some(_)) => Witness::Contradicts(Arc::clone(&snapshot.edition().label)),
            Ok(None) => match snapshot.edition().overdue(self.clock.now(), self.max_age_days) {
                Some(_) => Witness::Overdue,
                None => Witness::Confirms,
            },
        }
    }

    fn error(&self, kind: SourceErrorKind) -> SourceError {
        SourceError::new(self.name().to_owned(), kind)
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl TaxpayerSource for VerifyAbsence {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let answer = self.inner.detail(ruc).await?;
        if answer.taxpayer.is_some() {
            return Ok(answer);
        }
        match (self.witness(ruc), answer.origin) {
            (Witness::Contradicts(edition), _) => {
                Err(self.error(SourceErrorKind::Unreadable).with_cause(Contradicted { edition }))
            }
            (Witness::Confirms, _) | (Witness::Overdue | Witness::NoEdition, DetailOrigin::Official) => Ok(answer),
            (Witness::Overdue | Witness::NoEdition, DetailOrigin::Provider) => {
                Err(self.error(SourceErrorKind::Unavailable).with_cause(Blameless::UnverifiedAbsence))
            }
            (Witness::CannotRead(error), _) => {
                tracing::warn!(?ruc, cause = chain(&error), "the registry cannot confirm an absence");
                Err(self.error(SourceErrorKind::Unavailable).with_cause(Blameless::UnverifiedAbsence))
            }
        }
    }
}
