//! Looking up a taxpayer's summary in the embedded registry.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerSummary};
use kuraka_ports::TaxpayerRegistry;

use crate::registry_answer::{LookupError, RegistryAnswer, VerifiedRegistry};
use crate::{AbsenceRule, Grant};

/// The use case behind `POST /ruc`.
pub struct LookupSummary {
    registry: VerifiedRegistry,
}

impl LookupSummary {
    /// `absence` decides whether a RUC that is not in the edition counts as absent.
    #[must_use]
    pub fn new(registry: Arc<dyn TaxpayerRegistry>, absence: AbsenceRule) -> Self {
        Self { registry: VerifiedRegistry::new(registry, absence) }
    }

    /// The registry's answer about `ruc`; if it contains no taxpayer, the RUC does not exist.
    ///
    /// # Errors
    /// [`LookupError`] if the registry cannot tell whether the RUC exists.
    pub fn run(&self, _grant: &Grant, ruc: Ruc) -> Result<RegistryAnswer<TaxpayerSummary>, LookupError> {
        self.registry.answer(|snapshot| Ok(snapshot.lookup(ruc)?))
    }
}
