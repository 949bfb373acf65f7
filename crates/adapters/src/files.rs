//! Locks on files, and files and folders that survive a power loss.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) use kuraka_registry::create_folder;
use thiserror::Error;

#[derive(Debug, Error)]
#[error("cannot read or write {}: check the disk's free space and the folder's permissions", path.display())]
pub struct FileError {
    pub path: PathBuf,
    pub source: io::Error,
}

impl FileError {
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self { path: path.to_owned(), source }
    }
}

/// Locks a file, created if needed; `None` = another process has the lock. Ends when dropped or when the process dies.
pub(crate) fn try_lock(path: &Path) -> Result<Option<File>, FileError> {
    let file = File::options().create(true).append(true).open(path).map_err(FileError::at(path))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(FileError::at(path)(source)),
    }
}

/// Renames a synced file to another, which it replaces.
pub(crate) fn replace(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_folder(to.parent().unwrap_or(to))
}

/// Replaces a file's content. Readers see the old one or this one, whole.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let aside = path.with_added_extension("tmp");
    let mut file = File::create(&aside)?;
    file.write_all(content)?;
    file.sync_all()?;
    replace(&aside, path)
}

/// Waits until a folder's names are on the disk.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(if path.as_os_str().is_empty() { Path::new(".") } else { path })?.sync_all()
}
