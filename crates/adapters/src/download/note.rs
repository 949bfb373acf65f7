//! JSON notes beside files: the version that was or is being fetched.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::files;

/// An unreadable note is none: the file is then fetched again.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Readers see the previous note or this one, whole.
pub(crate) fn write(path: &Path, note: &impl Serialize) -> io::Result<()> {
    files::write(path, &serde_json::to_vec(note)?)
}
