//! Fetching an edition that another machine has built and serves.
//!
//! The server is asked only for what is not here yet: a note beside the download says which version was published
//! here last. Whether the file is an edition, and good enough to be published, is the registry's business.

use std::fs;
use std::io;
use std::path::PathBuf;

use kuraka_registry::{AdoptError, Adoption, Checksum, OpenEdition, OpenError};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::task::{JoinError, spawn_blocking};

use super::note::{self, Version};
use crate::download::{DownloadError, Downloader, Fetched, Validators};

/// Why an edition was not fetched. The edition that answered still does.
#[derive(Debug, Error)]
pub enum FetchError {
    /// The file could not be fetched.
    #[error("the edition could not be fetched")]
    Download(#[source] DownloadError),
    /// The file was fetched but not published.
    #[error("what was fetched is not published")]
    Adopt(#[source] AdoptError),
    /// The registry's folder cannot be read or written.
    #[error("{} cannot be read or written", path.display())]
    Folder {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The kept editions cannot be read.
    #[error("the kept editions cannot be read")]
    Editions(#[source] OpenError),
    /// The thread that reads editions died.
    #[error("the publication stopped")]
    Stopped(#[source] JoinError),
}

/// Fetches editions into one registry folder.
pub struct EditionFetch {
    folder: PathBuf,
    downloader: Downloader,
}

/// Which version came last, and what became of it.
#[derive(Serialize, Deserialize)]
struct Note {
    #[serde(flatten)]
    version: Version,
    /// The edition that it was published as; `None` = it was refused, and the file is kept.
    label: Option<String>,
}

impl EditionFetch {
    /// For the registry in `folder`.
    #[must_use]
    pub const fn new(folder: PathBuf, downloader: Downloader) -> Self {
        Self { folder, downloader }
    }

    /// Asks, fetches, verifies and publishes; `None` = what is served there was published here already, and is whole.
    /// With a `checksum`, the file must have it; `force` overrides the guards.
    ///
    /// Safe to call again after an error or a dropped future: what has arrived is kept, and so is what only a guard
    /// objects to.
    ///
    /// # Errors
    /// [`FetchError`].
    pub async fn run(
        &self,
        url: &str,
        checksum: Option<Checksum>,
        force: bool,
        on_progress: &(dyn Fn(u64, Option<u64>) + Send + Sync),
    ) -> Result<Option<Adoption>, FetchError> {
        let downloads = self.folder.join("downloads");
        fs::create_dir_all(&downloads).map_err(|source| FetchError::Folder { path: downloads.clone(), source })?;
        let (file, note_path) = (downloads.join("edition"), downloads.join("edition.note"));
        let note: Option<Note> = note::read(&note_path);
        let note = note.filter(|note| note.version.url == url);
        let is_kept = note.is_some() && file.exists();
        let known = match note {
            Some(note) if is_kept => note.version.validators(),
            // Whoever wants a certain file, or forces it, wants it looked at.
            Some(note) if checksum.is_none() && !force && self.has(&note).await? => note.version.validators(),
            Some(_) | None => Validators::default(),
        };
        let fetched = self.downloader.fetch(url, &known, &file, on_progress).await.map_err(FetchError::Download)?;
        let validators = match fetched {
            Fetched::Unchanged if is_kept => known,
            Fetched::Unchanged => return Ok(None),
            Fetched::New { validators, .. } => validators,
        };
        let (folder, fetched) = (self.folder.clone(), file.clone());
        let adopting = move || kuraka_registry::adopt(&folder, &fetched, checksum, force);
        let adoption = spawn_blocking(adopting).await.map_err(FetchError::Stopped)?;
        let label = match &adoption {
            Ok(adoption) => Some(adoption.label.clone()),
            Err(AdoptError::Guard(_) | AdoptError::Busy { .. } | AdoptError::Folder { .. }) => None,
            Err(AdoptError::Edition(_) | AdoptError::Label { .. } | AdoptError::Checksum { .. }) => {
                // Nobody will ever want this file: the next attempt begins anew.
                let _ = (fs::remove_file(&file), fs::remove_file(&note_path));
                return adoption.map(Some).map_err(FetchError::Adopt);
            }
        };
        if label.is_some() {
            // What was published is elsewhere by now; what answers already is of no use twice.
            let _ = fs::remove_file(&file);
        }
        let note = Note { version: Version::new(url, validators), label };
        note::write(&note_path, &note).map_err(|source| FetchError::Folder { path: note_path, source })?;
        adoption.map(Some).map_err(FetchError::Adopt)
    }

    /// Whether the edition that a note speaks of is here and whole.
    async fn has(&self, note: &Note) -> Result<bool, FetchError> {
        let Some(label) = note.label.clone() else { return Ok(false) };
        let kept = kuraka_registry::editions(&self.folder).map_err(FetchError::Editions)?;
        let Some(kept) = kept.into_iter().find(|kept| kept.meta.label == label) else { return Ok(false) };
        spawn_blocking(move || OpenEdition::open(&kept.path).is_ok()).await.map_err(FetchError::Stopped)
    }
}
