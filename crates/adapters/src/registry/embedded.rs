//! The embedded registry behind its port. It holds the current edition of a registry folder.
//!
//! The folder decides which edition is the current one. This module translates it into the port's types.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arc_swap::ArcSwapOption;
use kuraka_domain::{Ruc, TaxpayerSummary};
use kuraka_ports::{Edition, EditionOrigin, RegistrySnapshot, SourceError, SourceErrorKind, TaxpayerRegistry};
use kuraka_registry::{EditionWatcher, Meta, OpenEdition, OpenError, Origin, SkippedEdition};

/// The source's name in logs and metrics.
const SOURCE: &str = "registry";

/// A registry folder that answers lookups.
pub struct EmbeddedRegistry {
    watcher: EditionWatcher,
    current: ArcSwapOption<Snapshot>,
    /// Whether an edition was ever published in the folder, as far as this process knows.
    was_published: AtomicBool,
    /// Whether the folder's current edition is unusable.
    is_fallback: AtomicBool,
}

/// Which edition of a registry folder answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistryState {
    /// None, because none was ever published in the folder.
    NeverImported,
    /// The current one.
    Loaded,
    /// An earlier one, because the current one is unusable.
    Fallback,
    /// One whose file can no longer be read, so every lookup is an error. It is replaced within a second.
    Unreadable,
    /// None, because no edition in the folder is usable.
    Unusable,
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
struct Snapshot {
    open: OpenEdition,
    facts: Arc<Edition>,
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
        let is_fallback = AtomicBool::new(watcher.refuses_current());
        let current = ArcSwapOption::new(report.edition.map(Snapshot::of));
        Ok((Self { watcher, current, was_published, is_fallback }, report.skipped))
    }

    /// Which edition answers.
    pub fn state(&self) -> RegistryState {
        match self.current.load().as_ref() {
            Some(snapshot) if snapshot.open.is_unreadable() => RegistryState::Unreadable,
            Some(_) if self.is_fallback.load(Ordering::Relaxed) => RegistryState::Fallback,
            Some(_) => RegistryState::Loaded,
            None if self.was_published.load(Ordering::Relaxed) => RegistryState::Unusable,
            None => RegistryState::NeverImported,
        }
    }

    /// Replaces the edition that answers if its file was changed or truncated, or cannot be read: by the same file if it
    /// is intact after all, else by the last usable one before it, else by none. `None` = it is intact.
    ///
    /// Blocks like [`EmbeddedRegistry::refresh`].
    ///
    /// # Errors
    /// [`OpenError`] if the folder cannot be read; the damaged edition stays.
    pub fn replace_damaged(&self) -> Result<Option<Replaced>, OpenError> {
        let Some(damaged) = self.current.load_full().filter(|snapshot| snapshot.open.has_changed()) else {
            return Ok(None);
        };
        let report = self.watcher.reopen()?;
        self.is_fallback.store(self.watcher.refuses_current(), Ordering::Relaxed);
        self.current.store(report.edition.map(Snapshot::of));
        Ok(Some(Replaced { label: Arc::clone(&damaged.facts.label), skipped: report.skipped }))
    }

    /// Makes the edition that was published since the current one; `false` = none was.
    ///
    /// Reads the whole new edition once, so do not call it on a thread that answers requests.
    ///
    /// # Errors
    /// [`OpenError`]; the current edition stays.
    pub fn refresh(&self) -> Result<bool, OpenError> {
        let published = self.watcher.open_new();
        self.is_fallback.store(self.watcher.refuses_current(), Ordering::Relaxed);
        let published = published?;
        let is_new = published.is_some();
        if let Some(open) = published {
            self.was_published.store(true, Ordering::Relaxed);
            self.current.store(Some(Snapshot::of(open)));
        }
        Ok(is_new)
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
}

impl Snapshot {
    fn of(open: OpenEdition) -> Arc<Self> {
        let facts = Arc::new(facts(open.meta()));
        Arc::new(Self { open, facts })
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
