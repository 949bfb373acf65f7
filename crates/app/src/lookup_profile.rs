//! Looking up all that the published files say about a taxpayer.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerProfile};
use kuraka_ports::{RegistrySnapshot, TaxpayerRegistry};

use crate::registry_answer::{LookupError, RegistryAnswer, VerifiedRegistry};
use crate::{AbsenceRule, Grant};

/// A profile, and the snapshot that it is from.
pub struct PublishedProfile {
    /// What the files say about the taxpayer.
    pub profile: TaxpayerProfile,
    /// The files that were read, and those that are missing.
    pub snapshot: Arc<dyn RegistrySnapshot>,
}

/// The use case behind `POST /ruc-ficha`.
pub struct LookupProfile {
    registry: VerifiedRegistry,
}

impl LookupProfile {
    /// `absence` decides whether a RUC that is not in the edition counts as absent.
    #[must_use]
    pub fn new(registry: Arc<dyn TaxpayerRegistry>, absence: AbsenceRule) -> Self {
        Self { registry: VerifiedRegistry::new(registry, absence) }
    }

    /// What the files say about `ruc`, all from one snapshot; if there is no taxpayer, the RUC does not exist.
    ///
    /// # Errors
    /// [`LookupError`] if the padrón cannot tell whether the RUC exists, or a file cannot be read.
    pub fn run(&self, _grant: &Grant, ruc: Ruc) -> Result<RegistryAnswer<PublishedProfile>, LookupError> {
        self.registry.answer(|snapshot| {
            let profile = snapshot.profile(ruc)?;
            Ok(profile.map(|profile| PublishedProfile { profile, snapshot: Arc::clone(snapshot) }))
        })
    }
}
