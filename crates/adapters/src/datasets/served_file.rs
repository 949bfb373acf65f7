//! A file beside a dataset's editions, reopened when it changes: history, monthly history, or exchange rates.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use kuraka_ports::ExchangeRateRecord;
use kuraka_registry::dataset::{Dataset, TIPO_DE_CAMBIO};
use kuraka_registry::history::History;
use kuraka_registry::months::Months;
use kuraka_registry::run_idle_then_normal;
use parking_lot::Mutex;

use super::exchange_rates;

pub(super) struct ServedFile<T: 'static> {
    dataset: &'static Dataset,
    registry: PathBuf,
    path: PathBuf,
    /// `None` = no usable file.
    read: fn(&Path, &'static Dataset) -> Option<T>,
    current: Mutex<Current<T>>,
}

struct Current<T> {
    /// The file opened last, usable or not.
    file: Option<FileState>,
    open: Option<Arc<T>>,
}

/// A file's number, length and modification time.
type FileState = (u64, u64, Option<SystemTime>);

impl ServedFile<History> {
    /// The history of a dataset; not open yet.
    pub(super) fn history(dataset: &'static Dataset, registry: &Path) -> Self {
        let read = |registry: &Path, dataset| History::open(registry, dataset).ok();
        Self::new(dataset, registry, History::path(registry, dataset), read)
    }
}

impl ServedFile<Months> {
    pub(super) fn months(dataset: &'static Dataset, registry: &Path) -> Self {
        let read = |registry: &Path, _: &'static Dataset| Months::open(registry).ok();
        Self::new(dataset, registry, Months::path(registry), read)
    }
}

impl ServedFile<ExchangeRateRecord> {
    pub(super) fn exchange_rates(registry: &Path) -> Self {
        let read = |registry: &Path, _: &'static Dataset| exchange_rates::read(registry).ok().flatten();
        Self::new(&TIPO_DE_CAMBIO, registry, exchange_rates::file(registry), read)
    }
}

impl<T: Send + Sync + 'static> ServedFile<T> {
    pub(super) fn open(&self) -> Option<Arc<T>> {
        self.current.lock().open.clone()
    }

    /// Whether there was a file at the last look, usable or not.
    pub(super) fn exists(&self) -> bool {
        self.current.lock().file.is_some()
    }

    /// Opens the file if it was replaced or changed, and reads all of it, at idle priority first. An unusable file
    /// counts as none until it is replaced.
    pub(super) fn refresh(&self) {
        let file = fs::metadata(&self.path).ok();
        let file = file.map(|file| (file.ino(), file.len(), file.modified().ok()));
        if self.current.lock().file == file {
            return;
        }
        let (registry, dataset, read) = (self.registry.clone(), self.dataset, self.read);
        let open = file.and_then(|_| run_idle_then_normal(move || read(&registry, dataset)).map(Arc::new));
        *self.current.lock() = Current { file, open };
    }

    fn new(
        dataset: &'static Dataset,
        registry: &Path,
        path: PathBuf,
        read: fn(&Path, &'static Dataset) -> Option<T>,
    ) -> Self {
        let current = Mutex::new(Current { file: None, open: None });
        Self { dataset, registry: registry.to_owned(), path, read, current }
    }
}
