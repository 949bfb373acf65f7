//! A file beside a dataset's editions, reopened when it changes: history, monthly history, or exchange rates.

use std::path::PathBuf;
use std::sync::Arc;

use kuraka_registry::{FileState, run_idle_then_normal};
use parking_lot::Mutex;

pub(super) struct ServedFile<T> {
    path: PathBuf,
    /// `None` = no usable file.
    read: Arc<dyn Fn() -> Option<T> + Send + Sync>,
    current: Mutex<Current<T>>,
}

struct Current<T> {
    /// The file opened last, usable or not.
    file: Option<FileState>,
    open: Option<Arc<T>>,
}

impl<T: Send + Sync + 'static> ServedFile<T> {
    /// Not open yet.
    pub(super) fn new(path: PathBuf, read: impl Fn() -> Option<T> + Send + Sync + 'static) -> Self {
        Self { path, read: Arc::new(read), current: Mutex::new(Current { file: None, open: None }) }
    }

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
        let file = FileState::read(&self.path);
        if self.current.lock().file == file {
            return;
        }
        let read = Arc::clone(&self.read);
        let open = file.and_then(|_| run_idle_then_normal(move || read()).map(Arc::new));
        *self.current.lock() = Current { file, open };
    }
}
