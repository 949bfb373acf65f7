//! A file beside the editions of a dataset, as it is now: its history, or its monthly history.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use kuraka_registry::dataset::Dataset;
use kuraka_registry::give_way;
use kuraka_registry::history::History;
use kuraka_registry::months::Months;
use parking_lot::Mutex;

/// A file that is replaced now and then.
pub(super) struct ServedFile<T: 'static> {
    dataset: &'static Dataset,
    registry: PathBuf,
    path: PathBuf,
    kind: Kind<T>,
    current: Mutex<Current<T>>,
}

/// How such files are opened.
#[derive(Clone, Copy)]
struct Kind<T: 'static> {
    open: fn(&Path, &'static Dataset) -> Option<T>,
    is_unreadable: fn(&T) -> bool,
}

struct Current<T> {
    /// The file that was opened last, whether it is usable or not.
    file: Option<FileState>,
    /// `None` = there is none, or it is not usable.
    open: Option<Arc<T>>,
}

/// A file's number, length and modification time.
type FileState = (u64, u64, Option<SystemTime>);

impl ServedFile<History> {
    /// The history of a dataset of the registry in `registry`. None is open yet.
    pub(super) fn history(dataset: &'static Dataset, registry: &Path) -> Self {
        let kind = Kind {
            open: |registry, dataset| History::open(registry, dataset).ok(),
            is_unreadable: History::is_unreadable,
        };
        Self::of(dataset, registry, History::path(registry, dataset), kind)
    }
}

impl ServedFile<Months> {
    /// The record of the months of the open data.
    pub(super) fn months(dataset: &'static Dataset, registry: &Path) -> Self {
        let kind = Kind { open: |registry, _| Months::open(registry).ok(), is_unreadable: |_| false };
        Self::of(dataset, registry, Months::path(registry), kind)
    }
}

impl<T: Send + Sync + 'static> ServedFile<T> {
    /// The file, if it is usable.
    pub(super) fn open(&self) -> Option<Arc<T>> {
        self.current.lock().open.clone()
    }

    /// Opens the file if it is another one than last time, or the open one was damaged. Reads all of it then, and gives way
    /// to the calls. A file that cannot be used counts as none until it is replaced.
    pub(super) fn refresh(&self) {
        let file = fs::metadata(&self.path).ok();
        let file = file.map(|file| (file.ino(), file.len(), file.modified().ok()));
        let Kind { open, is_unreadable } = self.kind;
        {
            let current = self.current.lock();
            if current.file == file && !current.open.as_ref().is_some_and(|open| is_unreadable(open)) {
                return;
            }
        }
        let (registry, dataset) = (self.registry.clone(), self.dataset);
        let open = file.and_then(|_| give_way(move || open(&registry, dataset)).map(Arc::new));
        *self.current.lock() = Current { file, open };
    }
}

impl<T> ServedFile<T> {
    fn of(dataset: &'static Dataset, registry: &Path, path: PathBuf, kind: Kind<T>) -> Self {
        let current = Mutex::new(Current { file: None, open: None });
        Self { dataset, registry: registry.to_owned(), path, kind, current }
    }
}
