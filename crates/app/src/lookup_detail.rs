//! Looking up a taxpayer's detail: whoever the sources' stack asks, and nothing else.

use std::sync::Arc;

use kuraka_domain::Ruc;
use kuraka_ports::{DetailAnswer, SourceError, TaxpayerSource};

use crate::Grant;

/// The use case behind `POST /ruc-official`.
pub struct LookupDetail {
    source: Arc<dyn TaxpayerSource>,
}

impl LookupDetail {
    /// Asks `source`, which stands for all sources with their layers.
    #[must_use]
    pub fn new(source: Arc<dyn TaxpayerSource>) -> Self {
        Self { source }
    }

    /// What the first source that could answer says about `ruc`; no taxpayer in the answer = it positively does not
    /// exist.
    ///
    /// # Errors
    /// Nobody could find out.
    pub async fn run(&self, _grant: &Grant, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        self.source.detail(ruc).await
    }
}
