//! Looking up whether a taxpayer was declared without operating capacity.

use std::sync::Arc;

use kuraka_domain::{OperatingIncapacity, Ruc};
use kuraka_ports::TaxpayerRegistry;

use crate::registry_answer::{DatasetAnswer, LookupError, RegistryAnswer, VerifiedRegistry};
use crate::{AbsenceRule, Grant};

/// The use case behind `POST /ruc-ssco`.
pub struct LookupOperatingCapacity {
    registry: VerifiedRegistry,
}

impl LookupOperatingCapacity {
    /// `absence` decides whether a RUC that is not in the padrón counts as absent.
    #[must_use]
    pub fn new(registry: Arc<dyn TaxpayerRegistry>, absence: AbsenceRule) -> Self {
        Self { registry: VerifiedRegistry::new(registry, absence) }
    }

    /// The resolution about `ruc`: `Some(None)` = there is none, `None` = the RUC does not exist.
    ///
    /// # Errors
    /// [`LookupError`] if the padrón cannot tell whether the RUC exists, or the list is not available.
    pub fn run(
        &self,
        _grant: &Grant,
        ruc: Ruc,
    ) -> Result<RegistryAnswer<DatasetAnswer<Option<OperatingIncapacity>>>, LookupError> {
        self.registry.answer_of_known(ruc, "ssco", |snapshot| snapshot.operating_incapacity(ruc))
    }
}
