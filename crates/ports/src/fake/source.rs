//! A source of details that answers as a test has written down.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;
use kuraka_domain::{Ruc, TaxpayerDetail};

use super::Script;
use crate::{DetailAnswer, DetailOrigin, Freshness, SourceError, TaxpayerSource};

/// A source that knows the taxpayers it was told of, and fails, dawdles or hangs where its [`Script`] says so.
#[derive(Debug)]
pub struct ScriptedSource {
    name: &'static str,
    origin: DetailOrigin,
    taxpayers: HashMap<Ruc, Arc<TaxpayerDetail>>,
    script: Script<Ruc>,
}

impl ScriptedSource {
    /// A source that knows nobody yet: every RUC is absent.
    #[must_use]
    pub fn new(name: &'static str, origin: DetailOrigin) -> Self {
        Self { name, origin, taxpayers: HashMap::new(), script: Script::new() }
    }

    /// The same source, knowing `taxpayers` too.
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
