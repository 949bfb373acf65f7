//! The embedded registry behind its port.
//!
//! Lookups are in memory and never wait, so they run where they are asked for. Which edition answers is decided by
//! the registry's folder; this module only carries its facts over into the port's words.

pub mod fetch;
mod note;
pub mod update;

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{Edition, EditionOrigin, RegistryAnswer, SourceError, SourceErrorKind, TaxpayerRegistry};
use kuraka_registry::{OpenEdition, OpenError, Origin, Registry};

/// The source's name in logs and metrics.
const SOURCE: &str = "registry";

/// A registry folder that answers lookups.
pub struct EmbeddedRegistry {
    registry: Registry,
    current: ArcSwapOption<Current>,
}

/// An open edition with its facts in the port's words, made once.
struct Current {
    open: Arc<OpenEdition>,
    facts: Arc<Edition>,
}

impl EmbeddedRegistry {
    /// Answers from the edition that `registry` has open.
    #[must_use]
    pub fn new(registry: Registry) -> Self {
        let current = registry.current().map(Current::of);
        Self { registry, current: ArcSwapOption::new(current) }
    }

    /// Answers from the edition that was published since, if any; `true` = there was one.
    ///
    /// Reads the whole new edition once: not to be called on a thread that answers.
    ///
    /// # Errors
    /// [`OpenError`]; the edition that answered still does.
    pub fn refresh(&self) -> Result<bool, OpenError> {
        let published = self.registry.refresh()?;
        let is_new = published.is_some();
        if let Some(open) = published {
            self.current.store(Some(Current::of(open)));
        }
        Ok(is_new)
    }

    /// As [`TaxpayerRegistry::summary`], without a future.
    ///
    /// # Errors
    /// As [`TaxpayerRegistry::summary`].
    pub fn lookup(&self, ruc: Ruc) -> Result<RegistryAnswer, SourceError> {
        let current = self.current.load();
        let current = current.as_ref().ok_or_else(|| {
            SourceError::new(SOURCE, SourceErrorKind::Unavailable).with_cause("no edition has been imported")
        })?;
        let taxpayer = current.open.lookup(ruc);
        let taxpayer =
            taxpayer.map_err(|error| SourceError::new(SOURCE, SourceErrorKind::Unreadable).with_cause(error))?;
        Ok(RegistryAnswer { edition: Arc::clone(&current.facts), taxpayer })
    }
}

#[async_trait]
impl TaxpayerRegistry for EmbeddedRegistry {
    fn edition(&self) -> Option<Arc<Edition>> {
        self.current.load().as_ref().map(|current| Arc::clone(&current.facts))
    }

    async fn summary(&self, ruc: Ruc) -> Result<RegistryAnswer, SourceError> {
        self.lookup(ruc)
    }
}

impl Current {
    fn of(open: Arc<OpenEdition>) -> Arc<Self> {
        let meta = open.meta();
        let facts = Arc::new(Edition {
            label: meta.label.as_str().into(),
            date: meta.date,
            origin: match meta.origin {
                Origin::Published => EditionOrigin::Published,
                Origin::Sample => EditionOrigin::Sample,
            },
            rows: meta.rows,
            has_withholding_list: meta.withholding.is_some(),
            has_good_taxpayer_list: meta.good_taxpayers.is_some(),
        });
        Arc::new(Self { open, facts })
    }
}
