//! The files in `downloads/` of a dataset's folder. They may have persons' data that Kuraka does not keep, so each is
//! removed when its import ends; its note stays for the next conditional request.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use kuraka_registry::dataset::{Dataset, described};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::download::{DownloadError, lock, note, version_of};
use crate::files::FileError;

/// How long a partial file is kept for resumption, or a whole one if its process was killed.
const RETENTION: Duration = Duration::from_secs(24 * 3_600);

/// The folder of a dataset's downloads; `registry` is the registry's folder.
pub(super) fn downloads_of(registry: &Path, dataset: &Dataset) -> PathBuf {
    registry.join(dataset.name).join("downloads")
}

fn note_of(download: &Path) -> PathBuf {
    download.with_added_extension("note")
}

/// A file in the folder, removed when this is dropped. Until then no other process fetches or imports it.
pub(super) struct DownloadedFile {
    pub(super) path: PathBuf,
    _lock: File,
}

impl DownloadedFile {
    /// A file with this name in a dataset's downloads. Creates the folder and removes what earlier processes left there
    /// more than a day ago.
    pub(super) fn new(registry: &Path, dataset: &Dataset, name: &str, now: Timestamp) -> Result<Self, DownloadError> {
        let folder = downloads_of(registry, dataset);
        fs::create_dir_all(&folder).map_err(FileError::at(&folder))?;
        let path = folder.join(name);
        let lock = lock(&path)?;
        remove_old(&folder, SystemTime::from(now)).map_err(FileError::at(&folder))?;
        Ok(Self { path, _lock: lock })
    }

    pub(super) fn read_note<T: DeserializeOwned>(&self) -> Option<T> {
        note::read(&note_of(&self.path))
    }

    pub(super) fn write_note(&self, note: &impl Serialize) -> Result<(), FileError> {
        let path = note_of(&self.path);
        note::write(&path, note).map_err(FileError::at(&path))
    }
}

impl Drop for DownloadedFile {
    fn drop(&mut self) {
        // A file that cannot be removed is replaced by the next download, or removed after a day.
        for path in [version_of(&self.path), self.path.clone()] {
            let _ = fs::remove_file(path);
        }
    }
}

/// Removes the downloads of all datasets that killed processes left more than a day ago.
pub fn remove_old_downloads(registry: &Path, now: Timestamp) {
    for dataset in described() {
        // A folder that does not exist has none, and the next update reports one that cannot be read.
        let _ = remove_old(&downloads_of(registry, dataset), SystemTime::from(now));
    }
}

/// Removes downloads and partial files. Notes and locks have no personal data and stay.
fn remove_old(folder: &Path, now: SystemTime) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_old = || -> io::Result<bool> {
            let written = fs::metadata(&path)?.modified()?;
            Ok(now.duration_since(written).is_ok_and(|age| age > RETENTION))
        };
        let is_download = path.extension().is_none_or(|extension| extension == "part");
        if is_download && path.file_name().is_none_or(|name| name != "last_attempt") && is_old().unwrap_or(false) {
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}
