//! Decides whether a source's "not found" is accepted.
//!
//! The registry lists every RUC up to its edition's day. A source that does not find a listed RUC is wrong: its page
//! has changed, or half of its search failed.
//!
//! `docs/topics/resilience.md` has the table. A contradicted "not found" is `Unreadable`, one that cannot be confirmed
//! `UnverifiedAbsence`.

use std::sync::Arc;

use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{
    DetailAnswer, DetailOrigin, ProfileParts, SourceError, SourceErrorKind, TaxpayerRegistry, TaxpayerSource, chain,
    dataset,
};
use thiserror::Error;

use super::AgeLimits;

/// Compares a source's "not found" with the registry. Records and errors pass unchanged.
///
/// The innermost decorator: a contradicted "not found" counts as unreadable for the breaker, and the comparison is part
/// of the source's time. Dropping the future drops the request.
pub struct VerifyAbsence {
    inner: Arc<dyn TaxpayerSource>,
    registry: Arc<dyn TaxpayerRegistry>,
    ages: AgeLimits,
}

/// The source does not find a RUC that is in the registry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("says that the RUC does not exist, but edition {edition} has it")]
pub struct ContradictedAbsenceError {
    pub edition: Arc<str>,
}

/// What the registry says about a RUC that a source does not find.
enum Evidence {
    Contradicts(Arc<str>),
    Confirms,
    Overdue,
    NoEdition,
    CannotRead(SourceError),
}

impl VerifyAbsence {
    /// An edition that `ages` calls too old proves nothing.
    pub fn new(inner: Arc<dyn TaxpayerSource>, registry: Arc<dyn TaxpayerRegistry>, ages: AgeLimits) -> Self {
        Self { inner, registry, ages }
    }

    fn evidence(&self, ruc: Ruc) -> Evidence {
        let Some(snapshot) = self.registry.snapshot() else { return Evidence::NoEdition };
        match snapshot.profile(ruc, ProfileParts::NONE) {
            Err(error) => Evidence::CannotRead(error),
            Ok(Some(_)) => Evidence::Contradicts(Arc::clone(&snapshot.edition().label)),
            Ok(None) if self.ages.too_old(dataset::PADRON, snapshot.edition()).is_some() => Evidence::Overdue,
            Ok(None) => Evidence::Confirms,
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
        match (self.evidence(ruc), answer.origin) {
            (Evidence::Contradicts(edition), _) => {
                Err(self.error(SourceErrorKind::Unreadable).with_cause(ContradictedAbsenceError { edition }))
            }
            (Evidence::Confirms, _) | (Evidence::Overdue | Evidence::NoEdition, DetailOrigin::Official) => Ok(answer),
            (Evidence::Overdue | Evidence::NoEdition, DetailOrigin::Provider) => {
                Err(self.error(SourceErrorKind::UnverifiedAbsence))
            }
            (Evidence::CannotRead(error), _) => {
                tracing::warn!(?ruc, cause = chain(&error), "the registry cannot confirm an absence");
                Err(self.error(SourceErrorKind::UnverifiedAbsence))
            }
        }
    }
}
