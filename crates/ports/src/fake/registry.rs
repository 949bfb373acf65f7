//! A registry whose answers a test sets.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use kuraka_domain::{AnnexPremises, OperatingIncapacity, Ruc, TaxpayerProfile, TaxpayerSummary};

use super::lock;
use crate::{
    DatasetError, Edition, PublishedDataset, RegistrySnapshot, SourceError, SourceErrorKind, TaxpayerRegistry,
};

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
    datasets: ScriptedDatasets,
    script: Arc<Mutex<Script>>,
}

/// What the datasets beside the padrón say. The default is that none has an edition, and none is missed.
#[derive(Clone, Debug, Default)]
pub struct ScriptedDatasets {
    /// The datasets with an edition.
    pub datasets: Vec<PublishedDataset>,
    /// The names of those without one.
    pub missing: Vec<&'static str>,
    /// What they say about taxpayers. A taxpayer without a profile has one in which only its annex premises are known.
    pub profiles: Vec<TaxpayerProfile>,
    /// The annex premises of taxpayers; `None` = the dataset has no edition.
    pub annexes: Option<HashMap<Ruc, Vec<AnnexPremises>>>,
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
        self.publish_all(edition, taxpayers, ScriptedDatasets::default());
    }

    /// As [`ScriptedRegistry::publish`], with the other datasets.
    pub fn publish_all(
        &self,
        edition: Edition,
        taxpayers: impl IntoIterator<Item = TaxpayerSummary>,
        datasets: ScriptedDatasets,
    ) {
        *lock(&self.current) = Some(Arc::new(ScriptedSnapshot {
            edition: Arc::new(edition),
            taxpayers: taxpayers.into_iter().map(|taxpayer| (taxpayer.ruc, taxpayer)).collect(),
            datasets,
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

    fn datasets(&self) -> &[PublishedDataset] {
        &self.datasets.datasets
    }

    fn missing_datasets(&self) -> &[&'static str] {
        &self.datasets.missing
    }

    fn profile(&self, ruc: Ruc) -> Result<Option<TaxpayerProfile>, SourceError> {
        let Some(summary) = self.lookup(ruc)? else { return Ok(None) };
        let scripted = self.datasets.profiles.iter().find(|profile| profile.summary.ruc == ruc);
        Ok(Some(scripted.cloned().unwrap_or(TaxpayerProfile {
            summary,
            lists: None,
            annexes: self.annexes(ruc).ok().map(|annexes| annexes.len()),
            open_data: None,
            operating_incapacity: None,
            sanctions: None,
        })))
    }

    fn annexes(&self, ruc: Ruc) -> Result<Vec<AnnexPremises>, DatasetError> {
        let annexes = self.datasets.annexes.as_ref().ok_or(DatasetError::NoEdition { dataset: "anexos" })?;
        Ok(annexes.get(&ruc).cloned().unwrap_or_default())
    }

    fn operating_incapacity(&self, ruc: Ruc) -> Result<Option<OperatingIncapacity>, DatasetError> {
        if self.datasets.missing.contains(&"ssco") {
            return Err(DatasetError::NoEdition { dataset: "ssco" });
        }
        let profile = self.profile(ruc).map_err(DatasetError::Source)?;
        let known = profile.map_or(Some(None), |profile| profile.operating_incapacity);
        known.ok_or(DatasetError::NoEdition { dataset: "ssco" })
    }
}
