//! Fetching an edition that another machine has built and serves.
//!
//! The server is asked only for what is not here yet: a note beside the download says which version was published
//! here last. Whether the file is an edition, and good enough to be published, is the registry's business.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use kuraka_registry::{AdoptError, Adoption, OpenError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::download::{DownloadError, Downloader, Fetched, Validators};

/// SHA-256 of a file.
pub type Checksum = [u8; 32];

/// Why an edition was not fetched. The edition that answered still does.
#[derive(Debug, Error)]
pub enum FetchError {
    /// The file could not be fetched.
    #[error("the edition could not be fetched")]
    Download(#[source] DownloadError),
    /// The file is another than the one that was asked for.
    #[error("the file's SHA-256 is {found}, not {wanted}: it is another edition, or was changed on the way")]
    Checksum {
        /// The file's.
        found: String,
        /// The one that was asked for.
        wanted: String,
    },
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
    /// The publication's thread died.
    #[error("the publication stopped")]
    Stopped(#[source] tokio::task::JoinError),
}

/// Fetches editions into one registry folder.
pub struct EditionFetch {
    folder: PathBuf,
    downloader: Downloader,
}

/// Which version of which address was published here last, and under which label.
#[derive(Serialize, Deserialize)]
struct Note {
    url: String,
    label: String,
    etag: Option<String>,
    last_modified: Option<String>,
}

impl EditionFetch {
    /// For the registry in `folder`.
    #[must_use]
    pub const fn new(folder: PathBuf, downloader: Downloader) -> Self {
        Self { folder, downloader }
    }

    /// Asks, fetches, verifies and publishes; `None` = what is served there was published here already.
    /// `force` overrides the guards and asks for the file whatever is here.
    ///
    /// Safe to call again after an error or a dropped future: what has arrived is kept.
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
        let (path, note_path) = (downloads.join("edition"), downloads.join("edition.note"));
        let known = match self.note(&note_path, url)? {
            Some(note) if !force => Validators { etag: note.etag, last_modified: note.last_modified },
            Some(_) | None => Validators::default(),
        };
        let fetched = self.downloader.fetch(url, &known, &path, on_progress).await.map_err(FetchError::Download)?;
        let validators = match fetched {
            Fetched::Unchanged => return Ok(None),
            Fetched::New { validators, .. } => validators,
        };
        let (folder, file) = (self.folder.clone(), path.clone());
        let publishing = tokio::task::spawn_blocking(move || {
            check(&file, checksum)?;
            kuraka_registry::adopt(&folder, &file, force).map_err(FetchError::Adopt)
        });
        let adoption = publishing.await.map_err(FetchError::Stopped)?;
        // What was published is elsewhere by now, what was refused must not be taken for a part of the next.
        let _ = fs::remove_file(&path);
        let adoption = adoption?;
        let note = Note {
            url: url.to_owned(),
            label: adoption.label.clone(),
            etag: validators.etag,
            last_modified: validators.last_modified,
        };
        let text = serde_json::to_vec(&note).unwrap_or_default();
        fs::write(&note_path, text).map_err(|source| FetchError::Folder { path: note_path, source })?;
        Ok(Some(adoption))
    }

    /// What is noted of this address, if that edition is still here. A note that cannot be read is none.
    fn note(&self, path: &Path, url: &str) -> Result<Option<Note>, FetchError> {
        let note = fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Note>(&bytes).ok());
        let Some(note) = note.filter(|note| note.url == url) else { return Ok(None) };
        let kept = kuraka_registry::editions(&self.folder).map_err(FetchError::Editions)?;
        Ok(kept.iter().any(|kept| kept.meta.label == note.label).then_some(note))
    }
}

fn check(file: &Path, wanted: Option<Checksum>) -> Result<(), FetchError> {
    let Some(wanted) = wanted else { return Ok(()) };
    let hash = || -> io::Result<Checksum> {
        let (mut file, mut sha256, mut buffer) = (File::open(file)?, Sha256::new(), vec![0; 1 << 20]);
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(sha256.finalize().into()),
                read => sha256.update(buffer.get(..read).unwrap_or_default()),
            }
        }
    };
    let found = hash().map_err(|source| FetchError::Folder { path: file.to_owned(), source })?;
    let hex = |checksum: Checksum| checksum.iter().map(|byte| format!("{byte:02x}")).collect();
    if found == wanted { Ok(()) } else { Err(FetchError::Checksum { found: hex(found), wanted: hex(wanted) }) }
}
