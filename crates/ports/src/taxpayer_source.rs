//! Sources of a taxpayer's detail: SUNAT's page, and third-party providers.

use std::sync::Arc;

use async_trait::async_trait;
use kuraka_domain::{Ruc, TaxpayerDetail};

use crate::SourceError;

/// The answer of a source or a stack of layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetailAnswer {
    /// `None` = the RUC does not exist.
    pub taxpayer: Option<Arc<TaxpayerDetail>>,
    pub origin: DetailOrigin,
    pub freshness: Freshness,
}

/// An answer never combines two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DetailOrigin {
    Official,
    Provider,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Freshness {
    Live,
    Cached,
    /// From the sandbox, live or cached.
    Sandbox,
}

/// A source of details, or a layer around one.
#[async_trait]
pub trait TaxpayerSource: Send + Sync + 'static {
    /// One word, for logs and metrics.
    fn name(&self) -> &str;

    /// A complete record of this RUC, or an error.
    ///
    /// Safe to call twice. Dropping the future frees the call's resources; the request may continue. Never
    /// `Rejected`.
    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError>;
}
