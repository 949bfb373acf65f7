//! The handle a server holds: the current edition, and the swap to the next one under running lookups.
//!
//! Lookups in flight keep the edition they began with; its file is unmapped when the last of them ends.
//! This module refuses to know who publishes editions: it only looks at the folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use arc_swap::ArcSwapOption;
use thiserror::Error;

use crate::folder::{FileError, Folder, candidates};
use crate::{EditionError, OpenEdition, edition};

/// A registry folder and the edition open in it.
#[derive(Debug)]
pub struct Registry {
    folder: Folder,
    current: ArcSwapOption<OpenEdition>,
    refused: Mutex<Option<Refused>>,
}

/// A current edition that turned out unusable, so that it is not verified again at every refresh.
#[derive(Debug, PartialEq, Eq)]
struct Refused {
    path: PathBuf,
    /// Its length and when it was written; `None` = it is not there.
    file: Option<(u64, Option<SystemTime>)>,
}

/// What opening a registry found.
#[derive(Debug, Default)]
pub struct OpenReport {
    /// Label of the edition that answers; `None` = there is none.
    pub opened: Option<String>,
    /// Editions that should have been opened first but are unusable; not empty = a fallback answers, or nothing does.
    pub skipped: Vec<SkippedEdition>,
}

/// An edition that was passed over.
#[derive(Debug)]
pub struct SkippedEdition {
    /// Its file.
    pub path: PathBuf,
    /// Why.
    pub error: EditionError,
}

/// Why a registry cannot be opened or refreshed.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The folder cannot be read.
    #[error("the registry folder cannot be used: {} failed for {}", action, path.display())]
    Folder {
        /// What was tried.
        action: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The edition that became current is unusable; the one before still answers.
    #[error("the edition {} is unusable", path.display())]
    Edition {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: EditionError,
    },
}

impl From<FileError> for OpenError {
    fn from(FileError { action, path, source }: FileError) -> Self {
        Self::Folder { action, path, source }
    }
}

/// Opens the best usable edition of a folder, and says which better ones are not.
pub(crate) fn open_best(folder: &Folder) -> Result<(Option<OpenEdition>, Vec<SkippedEdition>), FileError> {
    let mut skipped = Vec::new();
    for path in candidates(folder)? {
        match OpenEdition::open(&path) {
            Ok(edition) => return Ok((Some(edition), skipped)),
            Err(error) => skipped.push(SkippedEdition { path, error }),
        }
    }
    Ok((None, skipped))
}

impl Registry {
    /// Opens the current edition of the registry in `folder`. A folder without one, or that does not exist, is fine.
    ///
    /// If the current edition is unusable, the last usable one published before it answers, and the report says so.
    ///
    /// # Errors
    /// [`OpenError::Folder`] if the folder cannot be read.
    pub fn open(folder: &Path) -> Result<(Self, OpenReport), OpenError> {
        let folder = Folder::new(folder);
        let (edition, skipped) = open_best(&folder)?;
        let report = OpenReport { opened: edition.as_ref().map(|edition| edition.label().to_owned()), skipped };
        let refused = match (folder.current()?, report.skipped.first()) {
            (Some(current), Some(skipped)) if skipped.path == current => Some(Refused::now(current)),
            _ => None,
        };
        let current = ArcSwapOption::from(edition.map(Arc::new));
        Ok((Self { folder, current, refused: Mutex::new(refused) }, report))
    }

    /// The edition that answers now; `None` = there is none.
    #[must_use]
    pub fn current(&self) -> Option<Arc<OpenEdition>> {
        self.current.load_full()
    }

    /// Opens the edition that was made current since, if any: verified and read through once before it answers.
    ///
    /// Costs a few file operations when nothing changed; otherwise it reads the whole new file, so call it where
    /// blocking is allowed.
    ///
    /// # Errors
    /// [`OpenError`]; the edition that answered still does. An unusable edition is reported once, not at every call.
    pub fn refresh(&self) -> Result<Option<Arc<OpenEdition>>, OpenError> {
        let Some(path) = self.folder.current()? else { return Ok(None) };
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let state = Refused::now(path.clone());
        if refused.as_ref() == Some(&state) {
            return Ok(None);
        }
        let answering = self.current.load_full().map(|edition| edition.identity());
        let opened = match edition::summarise(&path) {
            Ok(summary) if Some(summary.identity) == answering => return Ok(None),
            Ok(_) => OpenEdition::open(&path),
            Err(error) => Err(error),
        };
        match opened {
            Ok(edition) => {
                let edition = Arc::new(edition);
                self.current.store(Some(Arc::clone(&edition)));
                *refused = None;
                Ok(Some(edition))
            }
            Err(source) => {
                *refused = Some(state);
                Err(OpenError::Edition { path, source })
            }
        }
    }
}

impl Refused {
    /// How the file looks now.
    fn now(path: PathBuf) -> Self {
        let file = fs::metadata(&path).ok().map(|file| (file.len(), file.modified().ok()));
        Self { path, file }
    }
}
