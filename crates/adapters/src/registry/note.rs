//! Notes beside downloads: which version of a file came last.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::download::Validators;

/// The version of a file at an address.
#[derive(Serialize, Deserialize)]
pub(super) struct Version {
    pub(super) url: String,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
}

impl Version {
    pub(super) fn new(url: &str, Validators { etag, last_modified }: Validators) -> Self {
        Self { url: url.to_owned(), etag, last_modified }
    }

    pub(super) fn validators(&self) -> Validators {
        Validators { etag: self.etag.clone(), last_modified: self.last_modified.clone() }
    }
}

/// A note that cannot be read is none: the file is then fetched again.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

pub(super) fn write(path: &Path, note: &impl Serialize) -> io::Result<()> {
    fs::write(path, serde_json::to_vec(note).unwrap_or_default())
}
