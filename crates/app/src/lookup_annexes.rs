//! Looking up a taxpayer's annex premises.

use std::sync::Arc;

use kuraka_domain::{AnnexPremises, Ruc};
use kuraka_ports::TaxpayerRegistry;

use crate::registry_answer::{DatasetAnswer, LookupError, RegistryAnswer, VerifiedRegistry};
use crate::{AbsenceRule, Grant};

/// The use case behind `POST /ruc-anexos`.
pub struct LookupAnnexes {
    registry: VerifiedRegistry,
}

impl LookupAnnexes {
    /// `absence` decides whether a RUC that is not in the padrón counts as absent.
    #[must_use]
    pub fn new(registry: Arc<dyn TaxpayerRegistry>, absence: AbsenceRule) -> Self {
        Self { registry: VerifiedRegistry::new(registry, absence) }
    }

    /// The annex premises of `ruc`, none if it has none; if there is no taxpayer, the RUC does not exist.
    ///
    /// # Errors
    /// [`LookupError`] if the padrón cannot tell whether the RUC exists, or the annexes are not available.
    pub fn run(
        &self,
        _grant: &Grant,
        ruc: Ruc,
    ) -> Result<RegistryAnswer<DatasetAnswer<Vec<AnnexPremises>>>, LookupError> {
        self.registry.answer_of_known(ruc, "anexos", |snapshot| snapshot.annexes(ruc))
    }
}
