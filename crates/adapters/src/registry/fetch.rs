//! Fetching an edition that another machine has built and serves.
//!
//! The request is conditional: a note next to the download names the version that was published here last. The registry
//! decides whether the file is an edition, and whether to publish it.

use std::path::PathBuf;

use kuraka_ports::{Clock, chain};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{AdoptError, Adoption, Checksum, FileVersion, OpenError, PublishResult};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::task::JoinError;

use super::attempt::{AttemptOutcome, DatasetAttempt, record_attempt};
use super::beside_calls::{beside_calls, is_intact};
use super::downloads::{FolderError, KeptFile};
use crate::address::without_secrets;
use crate::download::{DownloadError, Downloader, Fetched, OnProgress};

/// Why an edition was not fetched. The current edition stays.
#[derive(Debug, Error)]
pub enum FetchError {
    /// The file could not be fetched.
    #[error("the edition could not be fetched")]
    Download(#[source] DownloadError),
    /// The checksum that the edition must have could not be fetched.
    #[error("the edition's SHA-256 could not be fetched, and it is required")]
    Checksum(#[source] DownloadError),
    /// What was fetched as the checksum is none.
    #[error("{} holds no SHA-256: one line as sha256sum prints it is required", without_secrets(url))]
    NoChecksum {
        /// The checksum's URL.
        url: String,
    },
    /// The file was fetched but not published.
    #[error("what was fetched is not published")]
    Adopt(#[source] AdoptError),
    /// The registry's folder cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The kept editions cannot be read.
    #[error("the kept editions cannot be read")]
    Editions(#[source] OpenError),
    /// The thread that reads editions panicked. The panic is no source, because its message can quote a row.
    #[error("the publication stopped in a panic")]
    Stopped(JoinError),
}

/// Fetches editions into one registry folder.
pub struct EditionFetch {
    folder: PathBuf,
    downloader: Downloader,
    checksum_url: Option<String>,
}

/// Which version was fetched last, and which edition it became.
#[derive(Serialize, Deserialize)]
struct Note {
    #[serde(flatten)]
    version: FileVersion,
    /// The edition that it was published as; `None` = it was refused, and the file is kept.
    label: Option<String>,
    /// The file's checksum, if one was required.
    #[serde(default)]
    sha256: Option<Checksum>,
}

impl Note {
    /// Whether this is the file with the checksum, or none is required.
    fn has(&self, checksum: Option<Checksum>) -> bool {
        checksum.is_none() || self.sha256 == checksum
    }
}

impl EditionFetch {
    /// For the registry in `folder`. With a `checksum_url`, every edition must have the SHA-256 that stands there, in
    /// the form of `sha256sum`.
    #[must_use]
    pub const fn new(folder: PathBuf, downloader: Downloader, checksum_url: Option<String>) -> Self {
        Self { folder, downloader, checksum_url }
    }

    /// Fetches, verifies and publishes, and records the try; `None` = the version on the server was published here before, and is intact.
    /// The file must match the `checksum`, which replaces the one at the checksum's URL; `force` overrides the guards.
    ///
    /// Safe to call again after an error or a dropped future: received bytes are kept, and so is a file that only a
    /// guard refuses.
    ///
    /// # Errors
    /// [`FetchError`].
    pub async fn run(
        &self,
        url: &str,
        checksum: Option<Checksum>,
        force: bool,
        clock: &dyn Clock,
        on_progress: OnProgress<'_>,
    ) -> Result<Option<Adoption>, FetchError> {
        let result = self.verified(url, checksum, force, on_progress).await;
        let outcome = match &result {
            Ok(Some(Adoption { outcome: PublishResult::Published, label, .. })) => {
                AttemptOutcome::Published { edition: label.clone() }
            }
            Ok(_) => AttemptOutcome::Unchanged,
            Err(error) => AttemptOutcome::Failed { cause: chain(error) },
        };
        let recorded = record_attempt(&self.folder, &PADRON, &DatasetAttempt { at: clock.now(), outcome });
        let adoption = result?;
        recorded?;
        Ok(adoption)
    }

    /// Fetches the file, with the checksum at the checksum's URL if none is given.
    async fn verified(
        &self,
        url: &str,
        checksum: Option<Checksum>,
        force: bool,
        on_progress: OnProgress<'_>,
    ) -> Result<Option<Adoption>, FetchError> {
        let Some(checksum_url) = self.checksum_url.as_deref().filter(|_| checksum.is_none()) else {
            return self.fetch(url, checksum, force, on_progress).await;
        };
        let required = self.required(checksum_url).await?;
        let fetched = self.fetch(url, Some(required), force, on_progress).await;
        if !matches!(fetched, Err(FetchError::Adopt(AdoptError::Checksum { .. }))) {
            return fetched;
        }
        // Perhaps both were replaced between the two requests.
        let replaced = self.required(checksum_url).await?;
        if replaced == required { fetched } else { self.fetch(url, Some(replaced), force, on_progress).await }
    }

    /// The checksum that stands at the URL.
    async fn required(&self, url: &str) -> Result<Checksum, FetchError> {
        let text = self.downloader.text(url).await.map_err(FetchError::Checksum)?;
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let line = lines.next().filter(|_| lines.next().is_none());
        let checksum = line.and_then(|line| line.split_whitespace().next()).and_then(kuraka_registry::parse_checksum);
        checksum.ok_or_else(|| FetchError::NoChecksum { url: url.to_owned() })
    }

    async fn fetch(
        &self,
        url: &str,
        checksum: Option<Checksum>,
        force: bool,
        on_progress: OnProgress<'_>,
    ) -> Result<Option<Adoption>, FetchError> {
        let file = KeptFile::new(&self.folder, &PADRON, "edition")?;
        let note = file.read_note::<Note>().filter(|note| note.version.name == url);
        let is_kept = note.is_some() && file.exists();
        let known = match note {
            Some(note) if is_kept => note.version,
            // With another checksum or with force, the file is examined again even if it was published before.
            Some(note) if !force && note.has(checksum) && self.has(note.label.as_deref()).await? => {
                if checksum.is_some() {
                    return Ok(None);
                }
                note.version
            }
            Some(_) | None => FileVersion::unversioned(url),
        };
        let fetched = self.downloader.fetch(&known, &file.path, on_progress).await.map_err(FetchError::Download)?;
        let version = match fetched {
            Fetched::Unchanged if is_kept => known,
            Fetched::Unchanged => return Ok(None),
            Fetched::New { version, .. } => version,
        };
        let (folder, fetched) = (self.folder.clone(), file.path.clone());
        let adopting = move || kuraka_registry::adopt(&folder, &fetched, checksum, force);
        let adoption = beside_calls(adopting).await.map_err(FetchError::Stopped)?;
        let label = match &adoption {
            Ok(adoption) => Some(adoption.label.clone()),
            Err(AdoptError::Guard(_) | AdoptError::Busy { .. } | AdoptError::Folder { .. }) => None,
            Err(AdoptError::Edition(_) | AdoptError::Label { .. } | AdoptError::Checksum { .. }) => {
                // This file can never be published: the next attempt downloads it again.
                file.remove();
                file.remove_note();
                return adoption.map(Some).map_err(FetchError::Adopt);
            }
        };
        if label.is_some() {
            // A published file was moved away; a file that is the current edition already is no longer needed.
            file.remove();
        }
        file.write_note(&Note { version, label, sha256: checksum })?;
        adoption.map(Some).map_err(FetchError::Adopt)
    }

    /// Whether the edition with this label is kept and intact.
    async fn has(&self, label: Option<&str>) -> Result<bool, FetchError> {
        let Some(label) = label else { return Ok(false) };
        let kept = kuraka_registry::editions(&self.folder).map_err(FetchError::Editions)?;
        let Some(kept) = kept.into_iter().find(|kept| kept.meta.label == label) else { return Ok(false) };
        is_intact(kept.path).await.map_err(FetchError::Stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_of_version_0_1_is_read() {
        let stored = r#"{"url":"http://a/edition","etag":"\"a\"","last_modified":null,"label":"2026-11-20-0a1b2c3d"}"#;
        let note: Note = serde_json::from_str(stored).unwrap();
        assert_eq!((note.version.name.as_str(), note.version.etag.as_deref()), ("http://a/edition", Some("\"a\"")));
        assert_eq!(note.label.as_deref(), Some("2026-11-20-0a1b2c3d"));
    }
}
