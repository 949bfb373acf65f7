//! Sources of a taxpayer's detail: SUNAT's page, and third-party providers.

use std::sync::Arc;

use async_trait::async_trait;
use kuraka_domain::{Ruc, TaxpayerDetail};

use crate::SourceError;

/// The answer of a source, or of a stack of sources and layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetailAnswer {
    /// `None` = the source answered that the RUC does not exist.
    pub taxpayer: Option<Arc<TaxpayerDetail>>,
    /// The kind of source that gave the answer.
    pub origin: DetailOrigin,
    /// How fresh the answer is.
    pub freshness: Freshness,
}

/// The kind of source that gave an answer. An answer never combines two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DetailOrigin {
    /// SUNAT's own page.
    Official,
    /// A third-party provider.
    Provider,
}

/// How fresh an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Freshness {
    /// The source was queried for this answer.
    Live,
    /// The answer comes from the cache.
    Cached,
    /// The answer comes from the sandbox, live or cached.
    Sandbox,
}

/// A source of details, or a layer around one.
#[async_trait]
pub trait TaxpayerSource: Send + Sync + 'static {
    /// One word, for logs and metrics.
    fn name(&self) -> &str;

    /// The source's answer about `ruc`: a complete record of this RUC, or an error.
    ///
    /// Safe to call twice. Dropping the future frees the resources of the call; the request to the source may continue.
    ///
    /// # Errors
    /// Every kind but `Rejected`: the source gave no usable answer.
    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError>;
}
