//! A registry that answers as a test has written down.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use kuraka_domain::{Ruc, TaxpayerSummary};

use super::lock;
use crate::{Edition, RegistryAnswer, SourceError, SourceErrorKind, TaxpayerRegistry};

/// A registry that holds the taxpayers it was told of, and fails where it was told to.
#[derive(Debug, Default)]
pub struct ScriptedRegistry {
    script: Mutex<Script>,
}

#[derive(Debug, Default)]
struct Script {
    edition: Option<Arc<Edition>>,
    taxpayers: HashMap<Ruc, TaxpayerSummary>,
    failures: HashMap<Ruc, SourceErrorKind>,
    asked: Vec<Ruc>,
}

impl ScriptedRegistry {
    /// A registry without an edition: it is unavailable until one is published.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// A registry with an edition that holds `taxpayers`.
    #[must_use]
    pub fn with(edition: Edition, taxpayers: impl IntoIterator<Item = TaxpayerSummary>) -> Self {
        let registry = Self::default();
        registry.publish(edition, taxpayers);
        registry
    }

    /// Replaces the edition and its taxpayers; failures stay.
    pub fn publish(&self, edition: Edition, taxpayers: impl IntoIterator<Item = TaxpayerSummary>) {
        let mut script = lock(&self.script);
        script.edition = Some(Arc::new(edition));
        script.taxpayers = taxpayers.into_iter().map(|taxpayer| (taxpayer.ruc, taxpayer)).collect();
    }

    /// From now on a lookup of `ruc` fails with `kind`.
    pub fn fail(&self, ruc: Ruc, kind: SourceErrorKind) {
        lock(&self.script).failures.insert(ruc, kind);
    }

    /// Every RUC that was asked for, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Ruc> {
        lock(&self.script).asked.clone()
    }
}

#[async_trait]
impl TaxpayerRegistry for ScriptedRegistry {
    fn edition(&self) -> Option<Arc<Edition>> {
        lock(&self.script).edition.clone()
    }

    async fn summary(&self, ruc: Ruc) -> Result<RegistryAnswer, SourceError> {
        let mut script = lock(&self.script);
        script.asked.push(ruc);
        if let Some(&kind) = script.failures.get(&ruc) {
            return Err(SourceError::new("registry", kind));
        }
        let edition = script.edition.clone().ok_or(SourceError::new("registry", SourceErrorKind::Unavailable))?;
        Ok(RegistryAnswer { edition, taxpayer: script.taxpayers.get(&ruc).cloned() })
    }
}
