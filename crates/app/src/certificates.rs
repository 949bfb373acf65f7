//! Issues certificates, and finds them by their codes for five years.

use std::sync::Arc;

use jiff::SignedDuration;
use kuraka_ports::{AccountId, Certificate, CertificateCode, Certificates, Clock, StoreError};

use crate::accounts::sign_in::{RandomSource, random_id};
use crate::calendar::earlier;

/// What an account's certificates may take.
const MAX_BYTES: u64 = 16 << 20;
pub(crate) const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24 * (5 * 365 + 2));

pub struct IssuedCertificates {
    pub store: Arc<dyn Certificates>,
    clock: Arc<dyn Clock>,
    random: RandomSource,
}

impl IssuedCertificates {
    /// `random` makes the codes.
    pub fn new(store: Arc<dyn Certificates>, clock: Arc<dyn Clock>, random: RandomSource) -> Self {
        Self { store, clock, random }
    }

    /// # Errors
    /// See [`Certificates::add_certificate`].
    pub async fn issue(
        &self,
        account: AccountId,
        title: String,
        content: &[u8],
    ) -> Result<CertificateCode, StoreError> {
        let code = CertificateCode(random_id(self.random)?);
        let certificate = Certificate { code, account, created: self.clock.now(), title };
        self.store.add_certificate(&certificate, content, MAX_BYTES).await?;
        Ok(code)
    }

    /// The certificate with this code, within its five years.
    ///
    /// # Errors
    /// See [`Certificates::certificate`].
    pub async fn find(&self, code: CertificateCode) -> Result<Option<(Certificate, Vec<u8>)>, StoreError> {
        let found = self.store.certificate(code).await?;
        let oldest = earlier(self.clock.now(), KEPT_FOR);
        Ok(found.filter(|(certificate, _)| certificate.created >= oldest))
    }
}
