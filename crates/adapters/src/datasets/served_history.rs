//! A dataset's history as its file is now.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use kuraka_registry::dataset::Dataset;
use kuraka_registry::history::History;
use kuraka_registry::{Edition, give_way};

/// The history of one dataset.
pub(super) struct ServedHistory {
    dataset: &'static Dataset,
    registry: PathBuf,
    current: Mutex<Current>,
}

#[derive(Default)]
struct Current {
    /// The file that was opened last, whether it is usable or not.
    file: Option<FileState>,
    /// `None` = there is none, or it is not usable.
    open: Option<Arc<History>>,
}

/// A file's number, length and modification time.
type FileState = (u64, u64, Option<SystemTime>);

impl ServedHistory {
    /// Of a dataset of the registry in `registry`. None is open yet.
    pub(super) fn of(dataset: &'static Dataset, registry: &Path) -> Self {
        Self { dataset, registry: registry.to_owned(), current: Mutex::default() }
    }

    /// The history, if it has this edition.
    pub(super) fn leading_to(&self, edition: &Edition) -> Option<Arc<History>> {
        self.current().open.clone().filter(|history| history.place_of(edition).is_some())
    }

    /// Opens the file if it is another one than last time, or the open one was damaged. Reads all of it then, and gives way
    /// to the calls. A file that cannot be used counts as none until it is replaced.
    pub(super) fn refresh(&self) {
        if self.dataset.history.is_none() {
            return;
        }
        let file = fs::metadata(History::path(&self.registry, self.dataset)).ok();
        let file = file.map(|file| (file.ino(), file.len(), file.modified().ok()));
        {
            let current = self.current();
            if current.file == file && !current.open.as_ref().is_some_and(|open| open.is_unreadable()) {
                return;
            }
        }
        let (registry, dataset) = (self.registry.clone(), self.dataset);
        let open = file.and_then(|_| give_way(move || History::open(&registry, dataset)).ok().map(Arc::new));
        *self.current() = Current { file, open };
    }

    /// Locked to look or to replace, never while a file is read.
    fn current(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
