//! A source of details whose answers a test sets.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;
use kuraka_domain::{Ruc, TaxpayerDetail};

use super::Script;
use crate::{DetailAnswer, DetailOrigin, Freshness, SourceError, TaxpayerSource};

/// Fails, waits or hangs as its [`Script`] says.
#[derive(Debug)]
pub struct ScriptedSource {
    name: &'static str,
    origin: DetailOrigin,
    taxpayers: HashMap<Ruc, Arc<TaxpayerDetail>>,
    script: Script<Ruc>,
}

impl ScriptedSource {
    /// Every RUC is absent.
    pub fn new(name: &'static str, origin: DetailOrigin) -> Self {
        Self { name, origin, taxpayers: HashMap::new(), script: Script::new() }
    }

    #[must_use]
    pub fn with(mut self, taxpayers: impl IntoIterator<Item = TaxpayerDetail>) -> Self {
        self.taxpayers.extend(taxpayers.into_iter().map(|taxpayer| (taxpayer.ruc, Arc::new(taxpayer))));
        self
    }
}

impl Deref for ScriptedSource {
    type Target = Script<Ruc>;

    fn deref(&self) -> &Script<Ruc> {
        &self.script
    }
}

#[async_trait]
impl TaxpayerSource for ScriptedSource {
    fn name(&self) -> &str {
        self.name
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        self.script.play(ruc).await.map_err(|kind| SourceError::new(self.name, kind))?;
        let taxpayer = self.taxpayers.get(&ruc).cloned();
        Ok(DetailAnswer { taxpayer, origin: self.origin, freshness: Freshness::Live })
    }
}
