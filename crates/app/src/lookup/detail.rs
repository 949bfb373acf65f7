//! Looks up a taxpayer's detail in the sources, or in the open data.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerDetail};
use kuraka_ports::{DetailAnswer, Edition, SourceError, TaxpayerSource};

use super::LookupTaxpayer;
use crate::ChargedCall;

#[derive(Clone, Debug)]
pub enum DetailResult {
    /// The answer of one source; without a taxpayer, the RUC does not exist.
    Source(DetailAnswer),
    /// No source answered, and the published files have the taxpayer.
    OpenData {
        taxpayer: Box<TaxpayerDetail>,
        /// The open data's edition.
        edition: Arc<Edition>,
    },
}

pub struct LookupDetail {
    source: Arc<dyn TaxpayerSource>,
    open_data: Option<Arc<LookupTaxpayer>>,
}

impl LookupDetail {
    /// `source` is the stack of all sources; `open_data` is used if they fail.
    pub fn new(source: Arc<dyn TaxpayerSource>, open_data: Option<Arc<LookupTaxpayer>>) -> Self {
        Self { source, open_data }
    }

    /// The answer of the first source that can answer, else of the open data. A "not found" of the sources is final.
    /// The open data is outside of all layers: its answer is not cached, and the next call queries the sources again.
    ///
    /// # Errors
    /// [`SourceError`] if no source could answer, and the open data lacks the taxpayer.
    pub async fn run(&self, _call: &ChargedCall, ruc: Ruc) -> Result<DetailResult, SourceError> {
        let error = match self.source.detail(ruc).await {
            Ok(answer) => return Ok(DetailResult::Source(answer)),
            Err(error) => error,
        };
        let Some((taxpayer, edition)) = self.open_data.as_ref().and_then(|data| data.open_data_detail(ruc)) else {
            return Err(error);
        };
        Ok(DetailResult::OpenData { taxpayer: Box::new(taxpayer), edition })
    }
}
