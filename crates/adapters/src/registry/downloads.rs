//! The files in `downloads/` of a registry's folder, each with a note beside it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kuraka_registry::dataset::Dataset;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::download::note;

/// The registry's folder, or a file in it, cannot be read or written.
#[derive(Debug, Error)]
#[error("{} cannot be read or written", path.display())]
pub struct FolderError {
    /// Which file or folder.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// The folder of a dataset's downloads; `registry` is the registry's folder.
pub(super) fn downloads_of(registry: &Path, dataset: &Dataset) -> PathBuf {
    folder_of(registry, dataset).join("downloads")
}

/// The folder of a dataset's editions; the padrón's is the registry's own.
fn folder_of(registry: &Path, dataset: &Dataset) -> PathBuf {
    if dataset.is_padron() { registry.to_owned() } else { registry.join("datasets").join(dataset.name) }
}

/// One file in the folder.
pub(super) struct KeptFile {
    pub(super) path: PathBuf,
    note: PathBuf,
}

impl KeptFile {
    /// The file with this name, in the downloads of a dataset. Makes the folder for it. `registry` is the registry's
    /// folder.
    pub(super) fn new(registry: &Path, dataset: &Dataset, name: &str) -> Result<Self, FolderError> {
        let folder = downloads_of(registry, dataset);
        match fs::create_dir_all(&folder) {
            Ok(()) => Ok(Self { path: folder.join(name), note: folder.join(name).with_added_extension("note") }),
            Err(source) => Err(FolderError { path: folder, source }),
        }
    }

    pub(super) fn exists(&self) -> bool {
        self.path.exists()
    }

    pub(super) fn read_note<T: DeserializeOwned>(&self) -> Option<T> {
        note::read(&self.note)
    }

    pub(super) fn write_note(&self, note: &impl Serialize) -> Result<(), FolderError> {
        note::write(&self.note, note).map_err(|source| FolderError { path: self.note.clone(), source })
    }

    /// Removes the file. A file that cannot be removed is replaced by the next download.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }

    /// Removes the note. Without it the next download starts from the beginning.
    pub(super) fn remove_note(&self) {
        let _ = fs::remove_file(&self.note);
    }
}
