//! The state of every dataset: served edition, age, last update, and progress of the present one.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_ports::{Clock, DatasetAttempt, DatasetProgress, DatasetStatus, Datasets, ExchangeRateRecord};
use kuraka_registry::dataset::{self, Dataset};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::EmbeddedRegistry;
use super::attempt::last_attempt;

pub struct DatasetStatuses {
    registry: Arc<EmbeddedRegistry>,
    folder: PathBuf,
    clock: Arc<dyn Clock>,
    /// The maximum age in days of each dataset; unlimited if missing.
    max_age_days: BTreeMap<&'static str, u32>,
    /// Kept in memory so that no request reads a file.
    attempts: Mutex<BTreeMap<&'static str, DatasetAttempt>>,
    progress: Mutex<BTreeMap<&'static str, DatasetProgress>>,
    /// What begins an update at once, and when the next begins by itself.
    updates: Mutex<BTreeMap<&'static str, (Arc<Notify>, Timestamp)>>,
}

impl DatasetStatuses {
    /// The datasets that `registry` serves from this folder.
    pub fn new(
        registry: Arc<EmbeddedRegistry>,
        folder: PathBuf,
        clock: Arc<dyn Clock>,
        max_age_days: BTreeMap<&'static str, u32>,
    ) -> Self {
        let (attempts, progress, updates) = (Mutex::default(), Mutex::default(), Mutex::default());
        let statuses = Self { registry, folder, clock, max_age_days, attempts, progress, updates };
        statuses.read_attempts();
        statuses
    }

    /// Rereads the recorded attempts, because commands record theirs too. Blocks.
    pub fn read_attempts(&self) {
        let attempt = |dataset: &'static Dataset| Some((dataset.name, last_attempt(&self.folder, dataset)?));
        *self.attempts.lock() = dataset::described().filter_map(attempt).collect();
    }

    /// Sets when this process updates the dataset next. The result is notified to do so at once.
    pub fn set_next_update(&self, dataset: &Dataset, after: Duration) -> Arc<Notify> {
        let (now, mut updates) = (self.clock.now(), self.updates.lock());
        let (wake, next) = updates.entry(dataset.name).or_default();
        *next = now.saturating_add(after).unwrap_or(Timestamp::MAX);
        Arc::clone(wake)
    }

    /// Begins an update of the dataset, unless one is in progress. `false` = this process does not update it.
    pub fn begin_update(&self, dataset: &str) -> bool {
        let is_in_progress = self.progress.lock().contains_key(dataset);
        let wake = self.updates.lock().get(dataset).map(|(wake, _)| Arc::clone(wake));
        wake.filter(|_| !is_in_progress).inspect(|wake| wake.notify_one()).is_some() || is_in_progress
    }

    /// Sets the progress of this process's update; `None` = it has ended.
    pub fn set_progress(&self, dataset: &Dataset, progress: Option<DatasetProgress>) {
        let mut all = self.progress.lock();
        match progress {
            Some(progress) => drop(all.insert(dataset.name, progress)),
            None => drop(all.remove(dataset.name)),
        }
    }
}

impl Datasets for DatasetStatuses {
    fn statuses(&self) -> Vec<DatasetStatus> {
        let (attempts, progress) = (self.attempts.lock().clone(), self.progress.lock().clone());
        let updates = self.updates.lock().clone();
        let now = self.clock.now();
        let status = |(dataset, state, edition): (&'static Dataset, _, Option<Arc<kuraka_ports::Edition>>)| {
            let limit = self.max_age_days.get(dataset.name).copied();
            DatasetStatus {
                name: dataset.name,
                role: dataset.role,
                title: dataset.title,
                attribution: dataset.attribution,
                is_required: dataset.is_required,
                when_absent: dataset.when_absent,
                when_too_old: dataset.when_too_old,
                state,
                max_age_days: limit,
                age_days: edition.as_ref().map(|edition| edition.age_days(now)),
                is_too_old: edition.as_ref().is_some_and(|edition| edition.overdue(now, limit).is_some()),
                edition,
                lacks_history: self.registry.lacks_history(dataset),
                last_attempt: attempts.get(dataset.name).cloned(),
                next_update: updates.get(dataset.name).map(|(_, next)| *next),
                progress: progress.get(dataset.name).copied(),
            }
        };
        self.registry.states().into_iter().map(status).collect()
    }

    fn exchange_rates(&self) -> Option<Arc<ExchangeRateRecord>> {
        self.registry.exchange_rates()
    }
}
