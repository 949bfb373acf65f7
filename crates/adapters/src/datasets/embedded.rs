//! The embedded registry behind its port: the editions of all datasets, as one snapshot that is replaced as a whole.
//! Each dataset's folder decides which edition is active.

use std::path::Path;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use kuraka_domain::DatasetRole;
use kuraka_ports::{self as ports, DatasetState, ExchangeRateRecord, RegistrySnapshot, TaxpayerRegistry};
use kuraka_registry::dataset::{ALL, Dataset, TIPO_DE_CAMBIO};
use kuraka_registry::{OpenError, SkippedEdition, spawn_at_idle_priority};
use parking_lot::Mutex;

use super::exchange_rates;
use super::served::{Replaced, Served};
use super::served_file::ServedFile;
use super::snapshot::{DatasetPart, Snapshot, facts_of};

/// A registry folder that answers lookups.
pub struct EmbeddedRegistry {
    /// Every dataset, the padrón first.
    datasets: Vec<ServedDataset>,
    /// The exchange rates; `None` = they are not enabled.
    exchange_rates: Option<ServedFile<ExchangeRateRecord>>,
    snapshot: ArcSwapOption<Snapshot>,
    /// Earlier snapshots; locked while the snapshot is replaced. Closing an edition takes milliseconds, so no call may
    /// hold the last reference.
    replaced: Mutex<Vec<Arc<Snapshot>>>,
}

struct ServedDataset {
    dataset: &'static Dataset,
    /// `None` = the dataset is not enabled.
    served: Option<Served>,
}

/// The result for each enabled dataset. One that failed answers as before.
pub type RefreshResults<T> = Vec<(&'static Dataset, Result<T, OpenError>)>;

impl EmbeddedRegistry {
    /// Opens the registry in `folder` with every dataset. An empty or missing folder is fine. Also returns the unusable
    /// editions that are newer than the opened ones.
    ///
    /// # Errors
    /// If the folder of the padrón cannot be read.
    pub fn open(folder: &Path) -> Result<(Self, Vec<SkippedEdition>), OpenError> {
        Self::open_with(folder, ALL)
    }

    /// As [`EmbeddedRegistry::open`], with these of the datasets; any other counts as one without an edition.
    ///
    /// # Errors
    /// As [`EmbeddedRegistry::open`].
    pub fn open_with(folder: &Path, enabled: &[&'static Dataset]) -> Result<(Self, Vec<SkippedEdition>), OpenError> {
        let is_enabled = |dataset: &Dataset| enabled.iter().any(|enabled| enabled.name == dataset.name);
        let (mut datasets, mut skipped) = (Vec::new(), Vec::new());
        for &dataset in ALL {
            let mut member = ServedDataset { dataset, served: None };
            if is_enabled(dataset) {
                let (served, opened) = Served::open(dataset, folder);
                match opened {
                    Ok(unusable) => skipped.extend(unusable),
                    Err(error) if dataset.role == DatasetRole::Summary => return Err(error),
                    // The next look at the folder reports the error.
                    Err(_) => {}
                }
                member.served = Some(served);
            }
            datasets.push(member);
        }
        let exchange_rates = is_enabled(&TIPO_DE_CAMBIO).then(|| {
            let registry = folder.to_owned();
            ServedFile::new(exchange_rates::file(folder), move || exchange_rates::read(&registry).ok().flatten())
        });
        exchange_rates.iter().for_each(ServedFile::refresh);
        let registry = Self { datasets, exchange_rates, snapshot: ArcSwapOption::empty(), replaced: Mutex::default() };
        registry.swap();
        Ok((registry, skipped))
    }

    pub fn exchange_rates(&self) -> Option<Arc<ExchangeRateRecord>> {
        self.exchange_rates.as_ref()?.open()
    }

    /// The served edition of each dataset, the padrón first.
    pub fn states(&self) -> Vec<(&'static Dataset, DatasetState, Option<Arc<ports::Edition>>)> {
        let snapshot = self.snapshot.load();
        let state = |ServedDataset { dataset, served }: &ServedDataset| {
            let Some(served) = served else { return (*dataset, DatasetState::NotEnabled, None) };
            let edition = match snapshot.as_ref() {
                Some(snapshot) => snapshot.dataset(dataset.name).and_then(|state| state.edition.clone()),
                None => served.edition().map(|edition| facts_of(&edition)),
            };
            // The sample does not answer beside published editions.
            let is_passed_over = edition.is_none() && served.state() == DatasetState::Loaded;
            (*dataset, if is_passed_over { DatasetState::NeverImported } else { served.state() }, edition)
        };
        let rates = self.exchange_rates();
        let of_rates = match &self.exchange_rates {
            None => DatasetState::NotEnabled,
            Some(_) if rates.is_some() => DatasetState::Loaded,
            Some(file) if file.exists() => DatasetState::Unusable,
            Some(_) => DatasetState::NeverImported,
        };
        let rates = (&TIPO_DE_CAMBIO, of_rates, rates.map(|rates| Arc::clone(&rates.edition)));
        self.datasets.iter().map(state).chain([rates]).collect()
    }

    /// Whether a dataset should have a history and has none that includes the served edition.
    pub fn lacks_history(&self, dataset: &Dataset) -> bool {
        let member = self.datasets.iter().find(|member| member.dataset.name == dataset.name);
        member.and_then(|member| member.served.as_ref()).is_some_and(Served::lacks_history)
    }

    /// Replaces each served edition whose file was changed, truncated or cannot be read: by the same file if it is
    /// intact again, else by the last usable edition before it. If there is none, the edition stays as long as the
    /// bytes read from its file are unchanged.
    ///
    /// Blocks like [`EmbeddedRegistry::refresh`].
    pub fn replace_damaged(&self) -> RefreshResults<Option<Replaced>> {
        self.each(Served::replace_damaged)
    }

    /// Switches to newly published editions and closes replaced ones. Returns which datasets changed. Reads each new
    /// edition once, so do not call it on a thread that answers requests. An unusable edition is reported once.
    pub fn refresh(&self) -> RefreshResults<bool> {
        self.close_unused();
        self.exchange_rates.iter().for_each(ServedFile::refresh);
        self.each(Served::refresh)
    }

    /// Tries unusable active editions and the dataset's others again, because a read error may pass. The served edition
    /// stays if none is usable.
    ///
    /// Blocks like [`EmbeddedRegistry::refresh`], so call it about once a minute. Reads at idle priority for half a
    /// second.
    pub fn retry_unusable(&self) -> RefreshResults<bool> {
        self.each(Served::retry_unusable)
    }

    /// Calls `act` on each enabled dataset. A change is served before the next dataset's turn, which may read a whole
    /// edition.
    fn each<T>(&self, act: impl Fn(&Served) -> Result<T, OpenError>) -> RefreshResults<T> {
        let mut results = Vec::new();
        for ServedDataset { dataset, served } in &self.datasets {
            if let Some(served) = served {
                results.push((*dataset, act(served)));
                self.swap();
            }
        }
        results
    }

    fn swap(&self) {
        let mut replaced = self.replaced.lock();
        let parts: Vec<DatasetPart> = self.datasets.iter().map(ServedDataset::part).collect();
        let padron =
            parts.iter().find(|part| part.dataset.role == DatasetRole::Summary).and_then(|part| part.edition.clone());
        let before = self.snapshot.load_full();
        let is_same = match (&before, &padron) {
            (Some(before), Some(padron)) => before.is_of(padron, &parts),
            (before, padron) => before.is_none() && padron.is_none(),
        };
        if !is_same {
            self.snapshot.store(padron.map(|padron| Arc::new(Snapshot::new(padron, parts))));
            replaced.extend(before);
        }
    }

    /// Closes replaced snapshots that no call uses any more, on another thread.
    fn close_unused(&self) {
        let mut replaced = self.replaced.lock();
        let unused: Vec<_> = replaced.extract_if(.., |snapshot| Arc::strong_count(snapshot) == 1).collect();
        if !unused.is_empty() {
            // Without a thread they are dropped here.
            let _ = spawn_at_idle_priority(move || drop(unused));
        }
    }
}

impl ServedDataset {
    fn part(&self) -> DatasetPart {
        let none = DatasetPart {
            dataset: self.dataset,
            is_enabled: false,
            edition: None,
            members: None,
            history: None,
            months: None,
            is_damaged: false,
        };
        self.served.as_ref().map_or(none, Served::part)
    }
}

impl TaxpayerRegistry for EmbeddedRegistry {
    fn snapshot(&self) -> Option<Arc<dyn RegistrySnapshot>> {
        Some(self.snapshot.load_full()?)
    }
}
