//! The registry's folder: which editions are kept, and which one is current.
//!
//! ```text
//! CURRENT                 file name of the current edition
//! ROLLED_BACK             labels an operator rolled back from, one a line
//! LOCK                    held by whoever publishes or rolls back
//! editions/<label>.kuraka the editions, three at most
//! rejects/<label>.txt     the first refused lines of each edition's import
//! ```
//!
//! Small files are replaced by writing a new one aside, syncing it, renaming it over the old one and syncing the
//! folder, so that a crash leaves the old or the new content. This module refuses to know what an edition holds.

pub(crate) mod disk;
mod kept;
mod rollback;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use disk::Disk;

pub use kept::{KeptEdition, editions};
#[cfg(test)]
pub(crate) use rollback::rollback_on;
pub use rollback::{Rollback, RollbackError, rollback};

use kept::prune;
pub(crate) use kept::{candidates, next_sequence};

/// The end of an edition's file name.
const EXTENSION: &str = "kuraka";
/// The end of the name of a file that is being written.
const UNFINISHED: &str = "tmp";
/// Labels remembered as rolled back from; older ones are long superseded.
const REMEMBERED: usize = 16;

/// A failed file operation.
#[derive(Debug)]
pub(crate) struct FileError {
    pub(crate) action: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) source: io::Error,
}

/// Names the operation and the file in an error.
pub(crate) fn doing<T>(action: &'static str, path: &Path, result: io::Result<T>) -> Result<T, FileError> {
    result.map_err(|source| FileError { action, path: path.to_owned(), source })
}

/// The paths of a registry's folder.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub(crate) fn editions(&self) -> PathBuf {
        self.0.join("editions")
    }

    pub(crate) fn edition(&self, label: &str) -> PathBuf {
        self.editions().join(format!("{label}.{EXTENSION}"))
    }

    pub(crate) fn rejects(&self) -> PathBuf {
        self.0.join("rejects")
    }

    pub(crate) fn rejects_of(&self, label: &str) -> PathBuf {
        self.rejects().join(format!("{label}.txt"))
    }

    fn pointer(&self) -> PathBuf {
        self.0.join("CURRENT")
    }

    fn rolled_back_file(&self) -> PathBuf {
        self.0.join("ROLLED_BACK")
    }

    /// Makes the folder and its parts.
    pub(crate) fn create(&self) -> Result<(), FileError> {
        for path in [self.editions(), self.rejects()] {
            doing("creating the folder", &path, fs::create_dir_all(&path))?;
        }
        Ok(())
    }

    /// Takes the lock that publishing and rolling back need; `None` = another process has it.
    pub(crate) fn lock(&self) -> Result<Option<File>, FileError> {
        let path = self.0.join("LOCK");
        let file = doing("opening", &path, File::options().create(true).append(true).open(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(FileError { action: "locking", path, source }),
        }
    }

    /// The current edition's file; `None` = none was ever published, or the pointer holds no file name.
    pub(crate) fn current(&self) -> Result<Option<PathBuf>, FileError> {
        let path = self.pointer();
        let text = doing("reading", &path, absent_is_none(fs::read(&path)))?;
        let name = text.as_deref().and_then(|text| std::str::from_utf8(text).ok()).map(str::trim);
        let plain = |name: &&str| {
            name.ends_with(EXTENSION) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
        };
        Ok(name.filter(plain).map(|name| self.editions().join(name)))
    }

    /// Makes the edition with this label the current one.
    pub(crate) fn set_current(&self, disk: &dyn Disk, label: &str) -> Result<(), FileError> {
        replace(disk, &self.pointer(), format!("{label}.{EXTENSION}\n").as_bytes())
    }

    /// Moves a verified file to its place and makes it the current edition.
    pub(crate) fn publish(&self, disk: &dyn Disk, file: &Path, label: &str) -> Result<(), FileError> {
        move_into_place(disk, file, &self.edition(label))?;
        self.mark_rolled_back(disk, label, false)?;
        self.set_current(disk, label)?;
        // The edition is published; old files that cannot be removed now are removed by the next publication.
        let _ = prune(self, disk);
        Ok(())
    }

    /// Labels an operator rolled back from, oldest first.
    pub(crate) fn rolled_back(&self) -> Result<Vec<String>, FileError> {
        let path = self.rolled_back_file();
        let text = doing("reading", &path, absent_is_none(fs::read_to_string(&path)))?;
        Ok(text.unwrap_or_default().lines().map(str::to_owned).collect())
    }

    /// Remembers or forgets that an operator rolled back from this label.
    pub(crate) fn mark_rolled_back(&self, disk: &dyn Disk, label: &str, rolled_back: bool) -> Result<(), FileError> {
        let old = self.rolled_back()?;
        let mut labels: Vec<&str> = old.iter().map(String::as_str).filter(|known| *known != label).collect();
        if rolled_back {
            labels.push(label);
        }
        let labels = labels.get(labels.len().saturating_sub(REMEMBERED)..).unwrap_or_default();
        if old == labels {
            return Ok(());
        }
        let text: String = labels.iter().flat_map(|label| [label, "\n"]).collect();
        replace(disk, &self.rolled_back_file(), text.as_bytes())
    }

    /// Removes what an interrupted publication left.
    pub(crate) fn remove_unfinished(&self, disk: &dyn Disk) -> Result<(), FileError> {
        for folder in [self.0.clone(), self.editions(), self.rejects()] {
            for entry in doing("reading the folder", &folder, fs::read_dir(&folder))? {
                let path = doing("reading the folder", &folder, entry)?.path();
                if path.extension().is_some_and(|extension| extension == UNFINISHED) {
                    doing("removing", &path, disk.remove(&path))?;
                }
            }
        }
        Ok(())
    }
}

/// The name under which `path` is written until it is whole.
pub(crate) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(UNFINISHED);
    PathBuf::from(name)
}

/// Replaces the file at `path`: after a crash it has the old content or the new.
pub(crate) fn replace(disk: &dyn Disk, path: &Path, content: &[u8]) -> Result<(), FileError> {
    let aside = unfinished(path);
    let mut file = doing("creating", &aside, disk.create(&aside))?;
    doing("writing", &aside, disk.write(&mut file, content))?;
    doing("syncing", &aside, disk.sync(&file))?;
    move_into_place(disk, &aside, path)
}

/// Renames a synced file to its place and makes the rename durable.
fn move_into_place(disk: &dyn Disk, from: &Path, to: &Path) -> Result<(), FileError> {
    doing("renaming", from, disk.rename(from, to))?;
    let folder = to.parent().unwrap_or(Path::new("."));
    doing("syncing the folder", folder, disk.sync_folder(folder))
}

pub(crate) fn absent_is_none<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
