//! Looking up a taxpayer's detail in the sources.

use std::sync::Arc;

use kuraka_domain::Ruc;
use kuraka_ports::{DetailAnswer, SourceError, TaxpayerSource};

use crate::Grant;

/// The use case behind `POST /ruc-official`.
pub struct LookupDetail {
    source: Arc<dyn TaxpayerSource>,
}

impl LookupDetail {
    /// `source` is the stack of all sources with their layers.
    #[must_use]
    pub fn new(source: Arc<dyn TaxpayerSource>) -> Self {
        Self { source }
    }

    /// The answer of the first source that can answer; if it contains no taxpayer, the RUC does not exist.
    ///
    /// # Errors
    /// [`SourceError`] if no source could answer.
    pub async fn run(&self, _grant: &Grant, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        self.source.detail(ruc).await
    }
}
