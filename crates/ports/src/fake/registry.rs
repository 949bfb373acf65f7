//! A registry whose answers a test sets.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use kuraka_domain::{AnnexPremises, OpenData, OperatingIncapacity, Ruc, TaxpayerProfile, TaxpayerSummary};

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
    /// The names of those whose rows cannot be read. No profile can be read then.
    pub damaged: Vec<&'static str>,
}

impl ScriptedDatasets {
    fn read(&self, dataset: &str) -> Result<(), SourceError> {
        let is_damaged = self.damaged.contains(&dataset);
        if is_damaged { Err(SourceError::new("registry", SourceErrorKind::Unreadable)) } else { Ok(()) }
    }
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
        let profile = self.scripted(ruc)?;
        self.datasets.damaged.iter().try_for_each(|dataset| self.datasets.read(dataset))?;
        Ok(profile)
    }

    fn open_data(&self, ruc: Ruc) -> Result<Option<OpenData>, DatasetError> {
        self.part(ruc, "datos_abiertos", |profile| profile.open_data)
    }

    fn annexes(&self, ruc: Ruc) -> Result<Vec<AnnexPremises>, DatasetError> {
        let annexes = self.datasets.annexes.as_ref().ok_or(DatasetError::NoEdition { dataset: "anexos" })?;
        self.datasets.read("anexos").map_err(DatasetError::Source)?;
        Ok(annexes.get(&ruc).cloned().unwrap_or_default())
    }

    fn operating_incapacity(&self, ruc: Ruc) -> Result<Option<OperatingIncapacity>, DatasetError> {
        self.part(ruc, "ssco", |profile| profile.operating_incapacity)
    }
}

impl ScriptedSnapshot {
    /// The profile of the script, whatever is damaged.
    fn scripted(&self, ruc: Ruc) -> Result<Option<TaxpayerProfile>, SourceError> {
        let Some(summary) = self.lookup(ruc)? else { return Ok(None) };
        let scripted = self.datasets.profiles.iter().find(|profile| profile.summary.ruc == ruc);
        Ok(Some(scripted.cloned().unwrap_or_else(|| TaxpayerProfile {
            summary,
            lists: None,
            annexes: self.datasets.annexes.as_ref().map(|annexes| annexes.get(&ruc).map_or(0, Vec::len)),
            open_data: None,
            operating_incapacity: None,
            sanctions: None,
        })))
    }

    /// What one dataset says, by the profile of the script.
    fn part<T>(
        &self,
        ruc: Ruc,
        dataset: &'static str,
        of: impl FnOnce(TaxpayerProfile) -> Option<Option<T>>,
    ) -> Result<Option<T>, DatasetError> {
        if self.datasets.missing.contains(&dataset) {
            return Err(DatasetError::NoEdition { dataset });
        }
        self.datasets.read(dataset).map_err(DatasetError::Source)?;
        let profile = self.scripted(ruc).map_err(DatasetError::Source)?;
        profile.map_or(Some(None), of).ok_or(DatasetError::NoEdition { dataset })
    }
}
