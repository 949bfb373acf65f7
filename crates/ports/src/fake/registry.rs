//! A registry whose answers a test sets.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use kuraka_domain::{Ruc, TaxpayerProfile, TaxpayerSummary};

use super::lock;
use super::search::SearchModel;
use crate::{
    DatasetRecord, Edition, NamePage, NameQuery, ProfileParts, RegistrySnapshot, SnapshotDataset, SourceError,
    SourceErrorKind, TaxpayerHistory, TaxpayerRegistry, Timeline, dataset,
};

#[derive(Debug, Default)]
pub struct ScriptedRegistry {
    current: Mutex<Option<Arc<ScriptedSnapshot>>>,
    script: Arc<Mutex<Script>>,
}

const LISTS: [&str; 2] = [dataset::WITHHOLDING, dataset::GOOD_TAXPAYERS];

/// Shared by all snapshots.
#[derive(Debug, Default)]
struct Script {
    failures: HashMap<Ruc, SourceErrorKind>,
    unreadable: Option<ProfileParts>,
    is_without_index: bool,
    is_without_history: bool,
    histories: HashMap<Ruc, TaxpayerHistory<'static>>,
    asked: Vec<Ruc>,
}

#[derive(Debug)]
struct ScriptedSnapshot {
    edition: Arc<Edition>,
    profiles: HashMap<Ruc, TaxpayerProfile>,
    datasets: Vec<SnapshotDataset>,
    script: Arc<Mutex<Script>>,
}

impl ScriptedRegistry {
    /// Without an edition, and so without a snapshot.
    pub fn empty() -> Self {
        Self::default()
    }

    pub fn with(edition: Edition, taxpayers: impl IntoIterator<Item = TaxpayerSummary>) -> Self {
        let registry = Self::default();
        registry.publish(edition, taxpayers);
        registry
    }

    /// Failures and existing snapshots stay.
    pub fn publish(&self, edition: Edition, taxpayers: impl IntoIterator<Item = TaxpayerSummary>) {
        self.publish_all(edition, taxpayers.into_iter().map(TaxpayerProfile::from_summary), []);
    }

    /// As [`ScriptedRegistry::publish`], with other datasets, which are enabled. A profile has the parts whose dataset is
    /// available.
    pub fn publish_all(
        &self,
        edition: Edition,
        profiles: impl IntoIterator<Item = TaxpayerProfile>,
        others: impl IntoIterator<Item = SnapshotDataset>,
    ) {
        let edition = Arc::new(edition);
        let padron = SnapshotDataset { name: dataset::PADRON, edition: Some(Arc::clone(&edition)), is_damaged: false };
        *lock(&self.current) = Some(Arc::new(ScriptedSnapshot {
            edition,
            profiles: profiles.into_iter().map(|profile| (profile.summary.ruc, profile)).collect(),
            datasets: [padron].into_iter().chain(others).collect(),
            script: Arc::clone(&self.script),
        }));
    }

    pub fn fail(&self, ruc: Ruc, kind: SourceErrorKind) {
        lock(&self.script).failures.insert(ruc, kind);
    }

    /// Lookups of these parts fail from now on.
    pub fn damage(&self, parts: ProfileParts) {
        lock(&self.script).unreadable = Some(parts);
    }

    pub fn drop_index(&self) {
        lock(&self.script).is_without_index = true;
    }

    pub fn drop_history(&self) {
        lock(&self.script).is_without_history = true;
    }

    /// Sets the history of `ruc`; by default, a taxpayer never changed.
    pub fn record(&self, ruc: Ruc, history: TaxpayerHistory<'static>) {
        lock(&self.script).histories.insert(ruc, history);
    }

    /// In order.
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

    fn datasets(&self) -> &[SnapshotDataset] {
        &self.datasets
    }

    fn missing_list(&self) -> Option<&SnapshotDataset> {
        self.datasets.iter().find(|dataset| LISTS.contains(&dataset.name) && dataset.edition.is_none())
    }

    fn profile(&self, ruc: Ruc, parts: ProfileParts) -> Result<Option<TaxpayerProfile>, SourceError> {
        let mut script = lock(&self.script);
        script.asked.push(ruc);
        if let Some(&kind) = script.failures.get(&ruc) {
            return Err(SourceError::new("registry", kind));
        }
        let Some(known) = self.profiles.get(&ruc) else { return Ok(None) };
        let lacks_flags = parts.has(ProfileParts::FLAGS) && self.missing_list().is_some();
        if lacks_flags || script.unreadable.is_some_and(|unreadable| parts.has(unreadable)) {
            return Err(SourceError::new("registry", SourceErrorKind::Unreadable));
        }
        let TaxpayerProfile { mut summary, lists, annex_count, annexes, open_data, operating_incapacity, sanctions } =
            known.clone();
        if !parts.has(ProfileParts::FLAGS) {
            (summary.withholding_agent, summary.good_taxpayer) = (None, None);
        }
        Ok(Some(TaxpayerProfile {
            summary,
            lists: lists.filter(|_| parts.has(ProfileParts::LISTS)),
            annex_count: annex_count.filter(|_| parts.has(ProfileParts::ANNEX_COUNT)),
            annexes: annexes.filter(|_| parts.has(ProfileParts::ANNEXES)),
            open_data: open_data.filter(|_| parts.has(ProfileParts::OPEN_DATA)),
            operating_incapacity: operating_incapacity.filter(|_| parts.has(ProfileParts::OPERATING_INCAPACITY)),
            sanctions: sanctions.filter(|_| parts.has(ProfileParts::SANCTIONS)),
        }))
    }

    fn history(&self, ruc: Ruc) -> Result<Option<TaxpayerHistory<'_>>, SourceError> {
        let script = lock(&self.script);
        if let Some(&kind) = script.failures.get(&ruc) {
            return Err(SourceError::new("registry", kind));
        }
        if script.is_without_history {
            return Ok(None);
        }
        let summary = || {
            let summary = self.profiles.get(&ruc)?.summary.clone();
            Some(TaxpayerSummary { withholding_agent: None, good_taxpayer: None, ..summary })
        };
        // A fake's records stay until the test ends.
        let record = || {
            let editions = vec![(*self.edition).clone()];
            let record = DatasetRecord { dataset: dataset::PADRON, editions, begins_after_gap: false };
            &*Box::leak(Box::new(record))
        };
        let of_today = || TaxpayerHistory {
            months: None,
            summaries: Timeline { record: record(), states: [(0, summary())].into() },
            flags: Vec::new(),
            sanctions: Timeline::none(),
        };
        Ok(Some(script.histories.get(&ruc).cloned().unwrap_or_else(of_today)))
    }

    fn search(&self, query: &NameQuery) -> Result<Option<NamePage>, SourceError> {
        if self.missing_list().is_some() {
            return Err(SourceError::new("registry", SourceErrorKind::Unreadable));
        }
        let has_index = !lock(&self.script).is_without_index;
        let taxpayers = self.profiles.values().map(|profile| &profile.summary);
        Ok(has_index.then(|| SearchModel::new(taxpayers).page(query)))
    }
}
