//! One dataset's served edition, and its replacement when another one is published or its file is damaged. The folder
//! decides which edition is active.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kuraka_ports::DatasetState;
use kuraka_registry::dataset::Dataset;
use kuraka_registry::history::History;
use kuraka_registry::months::Months;
use kuraka_registry::{Edition, EditionWatcher, OpenError, OpenReport, SkippedEdition, run_idle_then_normal};
use parking_lot::Mutex;

use super::list_flags::{Members, flag_of};
use super::served_file::ServedFile;
use super::snapshot::DatasetPart;

pub(super) struct Served {
    dataset: &'static Dataset,
    watcher: EditionWatcher,
    current: Mutex<Option<Current>>,
    /// Whether an edition was ever published in the folder, as far as this process knows.
    was_published: AtomicBool,
    history: Option<ServedFile<History>>,
    months: Option<ServedFile<Months>>,
}

#[derive(Debug)]
pub struct Replaced {
    pub label: Arc<str>,
    /// The unusable editions that are newer than the one now served.
    pub skipped: Vec<SkippedEdition>,
}

/// An open edition, and what is known about its file.
#[derive(Clone)]
struct Current {
    open: Arc<Edition>,
    /// The taxpayers of a list with a flag; `None` = unreadable. They are read right after the file is verified, so
    /// that later damage does not reach the flags.
    members: Option<Members>,
    /// Whether the folder's active edition is unusable.
    is_fallback: bool,
    /// Whether the file was changed and nothing can replace it.
    is_kept: bool,
}

impl Served {
    /// Serves the best edition of a dataset. A folder that cannot be read counts as one without a usable edition until
    /// it can. Also returns the unusable editions that are newer than the opened one.
    pub(super) fn open(dataset: &'static Dataset, registry: &Path) -> (Self, Result<Vec<SkippedEdition>, OpenError>) {
        let watcher = EditionWatcher::new(registry, dataset);
        let (edition, skipped) = match watcher.reopen() {
            Ok(OpenReport { edition, skipped }) => (edition, Ok(skipped)),
            Err(error) => (None, Err(error)),
        };
        let is_empty = edition.is_none() && skipped.as_ref().is_ok_and(Vec::is_empty);
        let is_fallback = watcher.refuses_current();
        let current = Mutex::new(edition.map(|open| Current::new(dataset, open, is_fallback)));
        let folder = registry.to_owned();
        let history = dataset.history.map(|_| {
            let folder = folder.clone();
            ServedFile::new(History::path(registry, dataset), move || History::open(&folder, dataset).ok())
        });
        let months =
            dataset.has_months().then(|| ServedFile::new(Months::path(registry), move || Months::open(&folder).ok()));
        let served = Self { dataset, watcher, current, was_published: AtomicBool::new(!is_empty), history, months };
        served.refresh_files();
        (served, skipped)
    }

    pub(super) fn edition(&self) -> Option<Arc<Edition>> {
        self.current.lock().as_ref().map(|current| Arc::clone(&current.open))
    }

    pub(super) fn part(&self) -> DatasetPart {
        let is_damaged = self.state() == DatasetState::Unusable;
        let current = self.current.lock().clone();
        let (edition, members) = current.map(|current| (current.open, current.members)).unzip();
        let history = edition.as_ref().and_then(|edition| self.history_to(edition));
        let months = self.months.as_ref().and_then(ServedFile::open);
        DatasetPart {
            dataset: self.dataset,
            is_enabled: true,
            edition,
            members: members.flatten(),
            history,
            months,
            is_damaged,
        }
    }

    pub(super) fn lacks_history(&self) -> bool {
        let Some(edition) = self.edition() else { return false };
        let has_month = |months: &ServedFile<Months>| {
            months.open().is_some_and(|months| months.has_file(&edition.meta().source.sha256))
        };
        self.history.is_some() && self.history_to(&edition).is_none()
            || self.months.as_ref().is_some_and(|months| !has_month(months))
    }

    fn history_to(&self, edition: &Edition) -> Option<Arc<History>> {
        self.history.as_ref()?.open().filter(|history| history.place_of(edition).is_some())
    }

    fn refresh_files(&self) {
        self.history.iter().for_each(ServedFile::refresh);
        self.months.iter().for_each(ServedFile::refresh);
    }

    pub(super) fn state(&self) -> DatasetState {
        match &*self.current.lock() {
            Some(current) if current.open.is_unreadable() => DatasetState::Unreadable,
            Some(current) if current.is_fallback => DatasetState::Fallback,
            Some(_) => DatasetState::Loaded,
            None if self.was_published.load(Ordering::Relaxed) => DatasetState::Unusable,
            None => DatasetState::NeverImported,
        }
    }

    /// As [`EmbeddedRegistry::replace_damaged`](super::EmbeddedRegistry::replace_damaged), for this dataset.
    pub(super) fn replace_damaged(&self) -> Result<Option<Replaced>, OpenError> {
        let damaged = self.current.lock().clone();
        let Some(damaged) = damaged.filter(|current| current.open.has_changed()) else { return Ok(None) };
        if damaged.is_kept && !damaged.open.is_unreadable() {
            // Only `retry_unusable` looks for another edition.
            return Ok(None);
        }
        let report = self.watcher.reopen()?;
        let is_fallback = self.watcher.refuses_current();
        let kept = || damaged.open.is_intact().then(|| Current { is_fallback, is_kept: true, ..damaged.clone() });
        let next = report.edition.map(|open| Current::new(self.dataset, open, is_fallback)).or_else(kept);
        *self.current.lock() = next;
        Ok(Some(Replaced { label: damaged.open.label().into(), skipped: report.skipped }))
    }

    /// Switches to the edition published after the current one; `false` if there is none.
    pub(super) fn refresh(&self) -> Result<bool, OpenError> {
        // First, because a publication extends the history before it changes `CURRENT`.
        self.refresh_files();
        let published = self.watcher.open_new();
        if !matches!(published, Ok(None) | Err(OpenError::Folder(_))) {
            self.was_published.store(true, Ordering::Relaxed);
        }
        let is_fallback = self.watcher.refuses_current();
        let next = published.map(|open| open.map(|open| Current::new(self.dataset, open, is_fallback)));
        let mut current = self.current.lock();
        if let Some(current) = &mut *current {
            current.is_fallback = is_fallback;
        }
        let Some(next) = next? else { return Ok(false) };
        *current = Some(next);
        Ok(true)
    }

    /// As [`EmbeddedRegistry::retry_unusable`](super::EmbeddedRegistry::retry_unusable), for this dataset.
    pub(super) fn retry_unusable(&self) -> Result<bool, OpenError> {
        if !matches!(self.state(), DatasetState::Fallback | DatasetState::Unusable) {
            return Ok(false);
        }
        let report = self.watcher.reopen_beside_calls()?;
        let answered = self.current.lock().clone();
        let Some(open) = report.edition else {
            if answered.is_none() && report.skipped.is_empty() {
                // The folder could not be read before, and has no edition.
                self.was_published.store(false, Ordering::Relaxed);
            }
            if let Some(kept) = answered.filter(|answered| answered.is_kept).map(|kept| kept.open)
                && !run_idle_then_normal(move || kept.is_intact())
            {
                *self.current.lock() = None;
            }
            return Ok(false);
        };
        let next = Current::new(self.dataset, open, self.watcher.refuses_current());
        let is_other =
            answered.is_none_or(|old| (old.open.label(), old.is_fallback) != (next.open.label(), next.is_fallback));
        *self.current.lock() = Some(next);
        Ok(is_other)
    }
}

impl Current {
    fn new(dataset: &Dataset, open: Edition, is_fallback: bool) -> Self {
        let members = flag_of(dataset).and_then(|_| open.rucs().collect::<Result<_, _>>().ok());
        Self { open: Arc::new(open), members, is_fallback, is_kept: false }
    }
}
