//! Sources of a taxpayer's detail: the tax authority's own page, and providers behind it.

use std::sync::Arc;

use async_trait::async_trait;
use kuraka_domain::{Ruc, TaxpayerDetail};

use crate::SourceError;

/// What a source, or a stack of sources and layers, says about one RUC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetailAnswer {
    /// The taxpayer; `None` = the source positively says that there is no such RUC.
    pub taxpayer: Option<Arc<TaxpayerDetail>>,
    /// Which kind of source said so.
    pub origin: DetailOrigin,
    /// How fresh the saying is.
    pub freshness: Freshness,
}

/// Which kind of source an answer comes from. An answer never mixes two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DetailOrigin {
    /// The tax authority's own page.
    Official,
    /// A third-party provider.
    Provider,
}

/// How an answer was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Freshness {
    /// Asked just now.
    Live,
    /// Kept from a short while ago.
    Cached,
    /// Asked just now, of a stand-in for the outside world.
    Sandbox,
}

/// A source of details, or a layer around one.
#[async_trait]
pub trait TaxpayerSource: Send + Sync + 'static {
    /// The source in a word, for logs and metrics.
    fn name(&self) -> &str;

    /// What the source says about `ruc`. A record is complete and is about `ruc`, or it is an error.
    ///
    /// Safe to call twice. Dropping the future gives back whatever the call held; the question itself may go on.
    ///
    /// # Errors
    /// Every kind but `Rejected`: it could not be found out.
    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError>;
}
