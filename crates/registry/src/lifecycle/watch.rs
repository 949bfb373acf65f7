//! Notices when another edition becomes current, whichever process published it, and opens it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::open::{OpenError, OpenReport, open_best};
use crate::Edition;
use crate::dataset::Dataset;
use crate::edition::summarise;
use crate::folder::{FileError, FileState, Folder};
use crate::format::header::Identity;
use crate::idle_priority::run_idle_then_normal;

/// Follows the current edition of one dataset.
#[derive(Debug)]
pub struct EditionWatcher {
    folder: Folder,
    seen: Mutex<LastSeen>,
}

/// So that the same file is not verified again each time.
#[derive(Debug, Default)]
struct LastSeen {
    opened: Option<Identity>,
    /// A current edition that was unusable at the last attempt.
    refused: Option<(PathBuf, Option<FileState>)>,
}

impl EditionWatcher {
    /// None is open yet. The dataset need not have a folder.
    pub fn new(registry: &Path, dataset: &'static Dataset) -> Self {
        Self { folder: Folder::new(registry, dataset), seen: Mutex::default() }
    }

    /// Opens the best edition again, new or not: for when the open one is damaged, and to retry unusable ones, because
    /// a read error may pass. Reads whole files, so call it where blocking is allowed.
    ///
    /// # Errors
    /// [`OpenError::Folder`] if the folder cannot be read.
    pub fn reopen(&self) -> Result<OpenReport, OpenError> {
        self.reopen_by(open_best)
    }

    /// As [`EditionWatcher::reopen`], but [gives way](run_idle_then_normal) to calls.
    ///
    /// # Errors
    /// [`OpenError::Folder`] if the folder cannot be read.
    pub fn reopen_beside_calls(&self) -> Result<OpenReport, OpenError> {
        self.reopen_by(|folder| {
            let folder = folder.clone();
            run_idle_then_normal(move || open_best(&folder))
        })
    }

    fn reopen_by(&self, open: impl FnOnce(&Folder) -> Result<OpenReport, FileError>) -> Result<OpenReport, OpenError> {
        let mut seen = self.seen();
        // Read first: a later change is another state.
        let current = self.folder.current()?.map(with_state);
        let report = open(&self.folder)?;
        let is_refused = |(path, _): &(PathBuf, _)| report.skipped.first().is_some_and(|skipped| skipped.path == *path);
        *seen =
            LastSeen { opened: report.edition.as_ref().map(Edition::identity), refused: current.filter(is_refused) };
        Ok(report)
    }

    /// Whether the current edition is unusable, so that an earlier one or none is open.
    pub fn refuses_current(&self) -> bool {
        self.seen().refused.is_some()
    }

    /// Opens and verifies the edition that became current since the last call; `None` = no change.
    ///
    /// Costs a few file operations if nothing changed. Otherwise it reads the whole file and [gives
    /// way](run_idle_then_normal) to calls, so call it where blocking is allowed.
    ///
    /// # Errors
    /// [`OpenError`]. An unusable edition is reported once, and not tried again before [`EditionWatcher::reopen`].
    pub fn open_new(&self) -> Result<Option<Edition>, OpenError> {
        let Some(path) = self.folder.current()? else { return Ok(None) };
        let mut seen = self.seen();
        let current = with_state(path);
        if seen.refused.as_ref() == Some(&current) {
            return Ok(None);
        }
        let path = &current.0;
        let opened = match summarise(self.folder.dataset(), path) {
            Ok(summary) if Some(summary.identity) == seen.opened => {
                seen.refused = None;
                return Ok(None);
            }
            Ok(_) => {
                let (dataset, path) = (self.folder.dataset(), path.clone());
                run_idle_then_normal(move || Edition::open(dataset, &path))
            }
            Err(error) => Err(error),
        };
        match opened {
            Ok(edition) => {
                *seen = LastSeen { opened: Some(edition.identity()), refused: None };
                Ok(Some(edition))
            }
            Err(source) => {
                let path = path.clone();
                seen.refused = Some(current);
                Err(OpenError::Edition { path, source })
            }
        }
    }

    fn seen(&self) -> MutexGuard<'_, LastSeen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn with_state(path: PathBuf) -> (PathBuf, Option<FileState>) {
    let state = FileState::read(&path);
    (path, state)
}
