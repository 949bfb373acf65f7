//! The embedded registry behind its port. It holds the current edition of a registry folder.
//!
//! The folder decides which edition is the current one. This module translates it into the port's types.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use kuraka_domain::{AnnexPremises, OperatingIncapacity, Ruc, TaxpayerProfile, TaxpayerSummary};
use kuraka_ports::{
    DatasetError, Edition, EditionOrigin, PublishedDataset, RegistrySnapshot, SourceError, SourceErrorKind,
    TaxpayerRegistry,
};
use kuraka_registry::dataset::{ALL, BUENOS_CONTRIBUYENTES, Dataset, PADRON, RETENCION};
use kuraka_registry::{
    EditionWatcher, List, Meta, OpenEdition, OpenError, Origin, SkippedEdition, give_way, spawn_at_idle_priority,
};

use super::state::{DatasetState, RegistryState, ServedEdition};

/// The source's name in logs and metrics.
const SOURCE: &str = "registry";

/// A registry folder that answers lookups.
pub struct EmbeddedRegistry {
    watcher: EditionWatcher,
    current: ArcSwapOption<Snapshot>,
    /// What answered before. Closing an edition takes milliseconds, so no call may be the last that has it.
    replaced: Mutex<Vec<Arc<Snapshot>>>,
    /// Whether an edition was ever published in the folder, as far as this process knows.
    was_published: AtomicBool,
}

/// An edition that was damaged while it answered, and was replaced.
#[derive(Debug)]
pub struct Replaced {
    /// Its label.
    pub label: Arc<str>,
    /// The unusable editions that come before the one that answers now.
    pub skipped: Vec<SkippedEdition>,
}

/// An open edition, with its facts as the port's type.
#[derive(Clone)]
struct Snapshot {
    open: Arc<OpenEdition>,
    facts: Arc<Edition>,
    /// Whether the folder's current edition is unusable.
    is_fallback: bool,
    /// Whether its file was changed and nothing can replace it.
    is_kept: bool,
}

impl EmbeddedRegistry {
    /// Opens the registry in `folder`. A folder without an edition, or that does not exist, is fine.
    ///
    /// Also returns the unusable editions that come before the opened one.
    ///
    /// # Errors
    /// [`OpenError`] if the folder cannot be read.
    pub fn open(folder: &Path) -> Result<(Self, Vec<SkippedEdition>), OpenError> {
        let (watcher, report) = EditionWatcher::open(folder)?;
        let was_published = AtomicBool::new(report.edition.is_some() || !report.skipped.is_empty());
        let is_fallback = watcher.refuses_current();
        let current = ArcSwapOption::new(report.edition.map(|open| Snapshot::of(open, is_fallback)));
        Ok((Self { watcher, current, replaced: Mutex::default(), was_published }, report.skipped))
    }

    /// Which edition answers.
    pub fn state(&self) -> RegistryState {
        match self.current.load().as_ref() {
            Some(snapshot) if snapshot.open.is_unreadable() => RegistryState::Unreadable,
            Some(snapshot) if snapshot.is_fallback => RegistryState::Fallback,
            Some(_) => RegistryState::Loaded,
            None if self.was_published.load(Ordering::Relaxed) => RegistryState::Unusable,
            None => RegistryState::NeverImported,
        }
    }

    /// The state of each dataset: the padrón's, then the others' in the order of lists for people.
    pub fn dataset_states(&self) -> Vec<DatasetState> {
        let current = self.current.load_full();
        let meta = current.as_ref().map(|snapshot| snapshot.open.meta());
        let served = current.as_ref().map(|snapshot| {
            let Edition { label, date, origin, rows, .. } = &*snapshot.facts;
            ServedEdition { label: Arc::clone(label), date: *date, origin: *origin, rows: *rows }
        });
        let lists = [(&RETENCION, List::WITHHOLDING_AGENTS), (&BUENOS_CONTRIBUYENTES, List::GOOD_TAXPAYERS)];
        let in_padron = |dataset: &Dataset| {
            let (_, list) = lists.iter().find(|(list, _)| list.name == dataset.name)?;
            Some(meta?.lists.get(list)?.edition.as_str().into())
        };
        let state = |dataset: &'static Dataset| {
            let (state, edition) = if dataset.name == PADRON.name {
                (self.state(), served.clone())
            } else {
                (RegistryState::NeverImported, None)
            };
            DatasetState { dataset, state, edition, in_padron: in_padron(dataset) }
        };
        ALL.into_iter().map(state).collect()
    }

    /// Answers from `next` from now on.
    fn answer_from(&self, next: Option<Arc<Snapshot>>) {
        let before = self.current.swap(next);
        self.replaced.lock().unwrap_or_else(PoisonError::into_inner).extend(before);
    }

    /// Closes, beside the calls, the replaced editions that no call has any more.
    fn close_unused(&self) {
        let mut replaced = self.replaced.lock().unwrap_or_else(PoisonError::into_inner);
        let unused: Vec<_> = replaced.extract_if(.., |snapshot| Arc::strong_count(snapshot) == 1).collect();
        if !unused.is_empty() {
            // Without a thread they are dropped here.
            let _ = spawn_at_idle_priority(move || drop(unused));
        }
    }

    /// Replaces the edition that answers if its file was changed or truncated, or cannot be read: by the same file if it
    /// is intact after all, else by the last usable one before it. If there is none, the edition goes on answering as
    /// long as everything that was read from its file is unchanged. `None` = there is nothing to replace.
    ///
    /// Blocks like [`EmbeddedRegistry::refresh`].
    ///
    /// # Errors
    /// [`OpenError`] if the folder cannot be read; the damaged edition stays.
    pub fn replace_damaged(&self) -> Result<Option<Replaced>, OpenError> {
        let Some(damaged) = self.current.load_full().filter(|snapshot| snapshot.open.has_changed()) else {
            return Ok(None);
        };
        if damaged.is_kept && !damaged.open.is_unreadable() {
            // Only [`EmbeddedRegistry::retry_unusable`] looks for another one.
            return Ok(None);
        }
        let report = self.watcher.reopen()?;
        let is_fallback = self.watcher.refuses_current();
        let kept = || {
            let kept = Snapshot { is_fallback, is_kept: true, ..Snapshot::clone(&damaged) };
            damaged.open.is_intact().then(|| Arc::new(kept))
        };
        let next = report.edition.map(|open| Snapshot::of(open, is_fallback)).or_else(kept);
        self.answer_from(next);
        Ok(Some(Replaced { label: Arc::clone(&damaged.facts.label), skipped: report.skipped }))
    }

    /// Makes the edition that was published since the current one; `false` = none was. Also closes the editions that
    /// were replaced before.
    ///
    /// Reads the whole new edition once, so do not call it on a thread that answers requests.
    ///
    /// # Errors
    /// [`OpenError`]; the current edition stays.
    pub fn refresh(&self) -> Result<bool, OpenError> {
        self.close_unused();
        let published = self.watcher.open_new();
        if !matches!(published, Ok(None) | Err(OpenError::Folder(_))) {
            self.was_published.store(true, Ordering::Relaxed);
        }
        let is_fallback = self.watcher.refuses_current();
        if let Ok(Some(open)) = published {
            self.answer_from(Some(Snapshot::of(open, is_fallback)));
            return Ok(true);
        }
        if let Some(current) = self.current.load_full().filter(|current| current.is_fallback != is_fallback) {
            self.answer_from(Some(Arc::new(Snapshot { is_fallback, ..Snapshot::clone(&current) })));
        }
        published.map(|_| false)
    }

    /// If the current edition is unusable, tries it and the others again, because a read error may pass; `true` = another
    /// edition answers now, or the current one. The edition that answers stays if there is none.
    ///
    /// Blocks like [`EmbeddedRegistry::refresh`], so call it about once a minute. Where an edition answers, it gives way
    /// to the calls for half a second.
    ///
    /// # Errors
    /// [`OpenError`] if the folder cannot be read.
    pub fn retry_unusable(&self) -> Result<bool, OpenError> {
        if !matches!(self.state(), RegistryState::Fallback | RegistryState::Unusable) {
            return Ok(false);
        }
        let answered = self.current.load_full();
        let report = if answered.is_some() { self.watcher.reopen_beside_calls() } else { self.watcher.reopen() }?;
        let Some(open) = report.edition else {
            if let Some(kept) = answered.filter(|answered| answered.is_kept).map(|kept| Arc::clone(&kept.open))
                && !give_way(move || kept.is_intact())
            {
                self.answer_from(None);
            }
            return Ok(false);
        };
        let next = Snapshot::of(open, self.watcher.refuses_current());
        self.answer_from(Some(Arc::clone(&next)));
        Ok(answered.is_none_or(|old| (&old.facts.label, old.is_fallback) != (&next.facts.label, next.is_fallback)))
    }
}

impl TaxpayerRegistry for EmbeddedRegistry {
    fn snapshot(&self) -> Option<Arc<dyn RegistrySnapshot>> {
        Some(self.current.load_full()?)
    }
}

impl RegistrySnapshot for Snapshot {
    fn edition(&self) -> &Arc<Edition> {
        &self.facts
    }

    fn lookup(&self, ruc: Ruc) -> Result<Option<TaxpayerSummary>, SourceError> {
        let unreadable = |error| SourceError::new(SOURCE, SourceErrorKind::Unreadable).with_cause(error);
        self.open.lookup(ruc).map_err(unreadable)
    }

    fn datasets(&self) -> &[PublishedDataset] {
        &[]
    }

    fn missing_datasets(&self) -> &[&'static str] {
        &[]
    }

    fn profile(&self, ruc: Ruc) -> Result<Option<TaxpayerProfile>, SourceError> {
        Ok(self.lookup(ruc)?.map(|summary| TaxpayerProfile {
            summary,
            lists: None,
            annexes: None,
            open_data: None,
            operating_incapacity: None,
            sanctions: None,
        }))
    }

    fn annexes(&self, _ruc: Ruc) -> Result<Vec<AnnexPremises>, DatasetError> {
        Err(DatasetError::NoEdition { dataset: "anexos" })
    }

    fn operating_incapacity(&self, _ruc: Ruc) -> Result<Option<OperatingIncapacity>, DatasetError> {
        Err(DatasetError::NoEdition { dataset: "ssco" })
    }
}

impl Snapshot {
    fn of(open: OpenEdition, is_fallback: bool) -> Arc<Self> {
        let facts = Arc::new(facts(open.meta()));
        Arc::new(Self { open: Arc::new(open), facts, is_fallback, is_kept: false })
    }
}

fn facts(meta: &Meta) -> Edition {
    Edition {
        label: meta.label.as_str().into(),
        date: meta.date,
        origin: match meta.origin {
            Origin::Published => EditionOrigin::Published,
            Origin::Sample => EditionOrigin::Sample,
        },
        rows: meta.rows,
        lists: meta.lists.keys().map(|list| list.code).collect(),
    }
}
