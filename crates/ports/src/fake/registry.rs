//! A registry whose answers a test sets.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use kuraka_domain::{Ruc, TaxpayerSummary};

use super::lock;
use crate::{Edition, RegistrySnapshot, SourceError, SourceErrorKind, TaxpayerRegistry};

/// A registry with the taxpayers of a test, which fails for the RUCs that the test names.
#[derive(Debug, Default)]
pub struct ScriptedRegistry {
    current: Mutex<Option<Arc<ScriptedSnapshot>>>,
    script: Arc<Mutex<Script>>,
}

/// Shared by all snapshots, old ones too.
#[derive(Debug, Default)]
struct Script {
    failures: HashMap<Ruc, SourceErrorKind>,
    asked: Vec<Ruc>,
}

#[derive(Debug)]
struct ScriptedSnapshot {
    edition: Arc<Edition>,
    taxpayers: HashMap<Ruc, TaxpayerSummary>,
    script: Arc<Mutex<Script>>,
}

impl ScriptedRegistry {
    /// A registry without an edition: it has no snapshot until one is published.
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

    /// Replaces the edition and its taxpayers. Failures and existing snapshots stay as they are.
    pub fn publish(&self, edition: Edition, taxpayers: impl IntoIterator<Item = TaxpayerSummary>) {
        *lock(&self.current) = Some(Arc::new(ScriptedSnapshot {
            edition: Arc::new(edition),
            taxpayers: taxpayers.into_iter().map(|taxpayer| (taxpayer.ruc, taxpayer)).collect(),
            script: Arc::clone(&self.script),
        }));
    }

    /// From now on a lookup of `ruc` fails with `kind`.
    pub fn fail(&self, ruc: Ruc, kind: SourceErrorKind) {
        lock(&self.script).failures.insert(ruc, kind);
    }

    /// Every RUC that was looked up, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Ruc> {
        lock(&self.script).asked.clone()
    }
}

impl TaxpayerRegistry for ScriptedRegistry {
    fn snapshot(&self) -> Option<Arc<dyn RegistrySnapshot>> {
        Some(lock(&self.current).clone()?)
    }
}

impl RegistrySnapshot for ScriptedSnapshot {
    fn edition(&self) -> &Arc<Edition> {
        &self.edition
    }

    fn lookup(&self, ruc: Ruc) -> Result<Option<TaxpayerSummary>, SourceError> {
        let mut script = lock(&self.script);
        script.asked.push(ruc);
        match script.failures.get(&ruc) {
            Some(&kind) => Err(SourceError::new("registry", kind)),
            None => Ok(self.taxpayers.get(&ruc).cloned()),
        }
    }
}
