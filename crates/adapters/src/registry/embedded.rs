//! The embedded registry behind its port: the editions of all datasets that answer, as one snapshot.
//!
//! Each dataset's folder decides which edition is its current one. The snapshot is replaced as a whole.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use kuraka_ports::{RegistrySnapshot, TaxpayerRegistry};
use kuraka_registry::dataset::{ALL, Dataset, PADRON};
use kuraka_registry::{
    DatasetEdition, DatasetWatcher, EditionWatcher, OpenEdition, OpenError, SkippedEdition, spawn_at_idle_priority,
};

use super::list_flags::Flag;
use super::served::Served;
use super::snapshot::{DatasetPart, Editions, Snapshot};
use super::state::{DatasetState, Failed, Refreshed, RegistryState, Replacements};

/// A registry folder that answers lookups.
pub struct EmbeddedRegistry {
    folder: PathBuf,
    padron: Served<OpenEdition>,
    /// The other datasets.
    datasets: Vec<Member>,
    snapshot: ArcSwapOption<Snapshot>,
    /// Snapshots that answered before; locked while the snapshot is replaced. Closing an edition takes milliseconds, so
    /// no call may be the last that has it.
    replaced: Mutex<Vec<Arc<Snapshot>>>,
}

/// A dataset other than the padrón.
struct Member {
    dataset: &'static Dataset,
    /// `None` = the dataset is not enabled.
    served: Option<Served<DatasetEdition>>,
}

impl EmbeddedRegistry {
    /// Opens the registry in `folder` with every dataset. A folder without an edition, or that does not exist, is fine.
    ///
    /// Also returns the unusable editions that come before the opened ones.
    ///
    /// # Errors
    /// [`OpenError`] if the padrón's folder cannot be read.
    pub fn open(folder: &Path) -> Result<(Self, Vec<SkippedEdition>), OpenError> {
        Self::open_with(folder, &ALL)
    }

    /// As [`EmbeddedRegistry::open`], with the padrón and these datasets. One that is not among them counts as one
    /// without an edition.
    ///
    /// # Errors
    /// [`OpenError`] if the padrón's folder cannot be read.
    pub fn open_with(folder: &Path, enabled: &[&'static Dataset]) -> Result<(Self, Vec<SkippedEdition>), OpenError> {
        let (watcher, opened) = EditionWatcher::open(folder)?;
        let (padron, mut skipped) = Served::new(&PADRON, watcher, Some(opened));
        let is_enabled = |dataset: &Dataset| enabled.iter().any(|enabled| enabled.name == dataset.name);
        let is_unknown = |dataset: &Dataset| ALL.iter().all(|known| known.name != dataset.name);
        let others = ALL.iter().chain(enabled.iter().filter(|dataset| is_unknown(dataset)));
        let mut datasets = Vec::new();
        for &dataset in others.filter(|dataset| !dataset.is_padron()) {
            let served = is_enabled(dataset).then(|| {
                let watcher = DatasetWatcher::of(folder, dataset);
                // The next look at the folder reports the error.
                let opened = watcher.reopen().ok();
                Served::new(dataset, watcher, opened)
            });
            let (served, unusable) = served.unzip();
            skipped.extend(unusable.into_iter().flatten());
            datasets.push(Member { dataset, served });
        }
        let folder = folder.to_owned();
        let registry = Self { folder, padron, datasets, snapshot: ArcSwapOption::empty(), replaced: Mutex::default() };
        registry.swap();
        Ok((registry, skipped))
    }

    /// Which edition of the padrón answers.
    pub fn state(&self) -> RegistryState {
        self.padron.state()
    }

    /// The state of each enabled dataset: the padrón's, then the others' in the order of lists for people.
    pub fn dataset_states(&self) -> Vec<DatasetState> {
        let padron = self.padron.edition();
        let in_padron = |dataset| {
            let list = padron.as_ref()?.meta().lists.get(&Flag::of(dataset)?.list())?;
            Some(Arc::from(list.edition.as_str()))
        };
        let snapshot = self.snapshot.load();
        let is_passed_over =
            |dataset: &Dataset| snapshot.as_ref().is_some_and(|snapshot| snapshot.passes_over(dataset));
        let with_flag = |state: DatasetState| {
            if is_passed_over(state.dataset) {
                let in_padron = in_padron(state.dataset);
                return DatasetState { state: RegistryState::NeverImported, edition: None, in_padron, ..state };
            }
            let in_padron = if state.edition.is_none() { in_padron(state.dataset) } else { None };
            DatasetState { in_padron, ..state }
        };
        let others = self.datasets.iter().filter_map(|member| member.served.as_ref());
        let others = others.map(|served| with_flag(served.describe()));
        [self.padron.describe()].into_iter().chain(others).collect()
    }

    /// Replaces each edition that answers and whose file was changed or truncated, or cannot be read: by the same file
    /// if it is intact after all, else by the dataset's last usable edition before it. If there is none, the edition
    /// goes on answering as long as everything that was read from its file is unchanged.
    ///
    /// A dataset for which it fails keeps its damaged edition. Blocks like [`EmbeddedRegistry::refresh`].
    pub fn replace_damaged(&self) -> Replacements {
        let mut done = Replacements::default();
        for (dataset, replaced) in self.each(Served::replace_damaged, Served::replace_damaged) {
            match replaced {
                Ok(replaced) => done.replaced.extend(replaced),
                Err(error) => done.failed.push(Failed { dataset, error }),
            }
        }
        done
    }

    /// Answers from the editions that were published since the ones that answer. Also closes the editions that were
    /// replaced before.
    ///
    /// Reads each new edition once, so do not call it on a thread that answers requests. A dataset for which it fails
    /// answers as before; an unusable edition is reported once.
    pub fn refresh(&self) -> Refreshed {
        self.close_unused();
        Refreshed::of(self.each(Served::refresh, Served::refresh))
    }

    /// Where a current edition is unusable, tries it and the dataset's others again, because a read error may pass. The
    /// edition that answers stays if there is none.
    ///
    /// Blocks like [`EmbeddedRegistry::refresh`], so call it about once a minute. It gives way to the calls for half a
    /// second.
    pub fn retry_unusable(&self) -> Refreshed {
        Refreshed::of(self.each(Served::retry_unusable, Served::retry_unusable))
    }

    /// Does the same with each dataset. What it changes answers before the next dataset's turn, which may read a whole
    /// edition.
    fn each<T>(
        &self,
        padron: impl FnOnce(&Served<OpenEdition>) -> T,
        other: impl Fn(&Served<DatasetEdition>) -> T,
    ) -> Vec<(&'static Dataset, T)> {
        let mut results = vec![(&PADRON, padron(&self.padron))];
        self.swap();
        for served in self.datasets.iter().filter_map(|member| member.served.as_ref()) {
            results.push((served.dataset(), other(served)));
            self.swap();
        }
        results
    }

    /// Answers from the editions of now, if they are not those of the snapshot.
    fn swap(&self) {
        let mut replaced = self.replaced.lock().unwrap_or_else(PoisonError::into_inner);
        let editions = self.padron.edition().map(|padron| Editions { padron, datasets: self.parts() });
        let before = self.snapshot.load_full();
        let is_same = match (&before, &editions) {
            (Some(before), Some(editions)) => before.is_of(editions),
            (before, editions) => before.is_none() && editions.is_none(),
        };
        if !is_same {
            self.snapshot.store(editions.map(|editions| Snapshot::of(editions, &self.folder)));
            replaced.extend(before);
        }
    }

    fn parts(&self) -> Vec<DatasetPart> {
        let part = |Member { dataset, served }: &Member| DatasetPart {
            dataset,
            edition: served.as_ref().and_then(Served::edition),
            is_unusable: served.as_ref().is_some_and(|served| served.state() == RegistryState::Unusable),
        };
        self.datasets.iter().map(part).collect()
    }

    /// Closes, beside the calls, the replaced snapshots that no call has any more, with the editions that only they
    /// have.
    fn close_unused(&self) {
        let mut replaced = self.replaced.lock().unwrap_or_else(PoisonError::into_inner);
        let unused: Vec<_> = replaced.extract_if(.., |snapshot| Arc::strong_count(snapshot) == 1).collect();
        if !unused.is_empty() {
            // Without a thread they are dropped here.
            let _ = spawn_at_idle_priority(move || drop(unused));
        }
    }
}

impl TaxpayerRegistry for EmbeddedRegistry {
    fn snapshot(&self) -> Option<Arc<dyn RegistrySnapshot>> {
        Some(self.snapshot.load_full()?)
    }
}
