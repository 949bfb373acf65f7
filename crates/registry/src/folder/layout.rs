//! The folder's paths and small files: the pointer, the marks, the lock.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use kuraka_domain::Ruc;

use super::disk::Disk;
use super::error::{FileError, absent_is_none, doing};
use super::replace::{is_unfinished, paths_in, replace};
use super::state::FileState;
use crate::dataset::Dataset;
use crate::label::is_label;

pub(crate) const EXTENSION: &str = "kuraka";
const REMEMBERED: usize = 16;

/// The files that say what is published.
pub(crate) type Stamp = [Option<FileState>; 2];

#[derive(Clone, Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    registry: PathBuf,
    dataset: &'static Dataset,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Current {
    pub(crate) label: String,
    pub(crate) number: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RolledBack {
    pub(crate) label: String,
    /// SHA-256 of its published file, as hex digits; empty = unknown.
    pub(crate) sha256: String,
}

pub(crate) fn label_of(edition: &Path) -> String {
    edition.file_stem().map(|label| label.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Folder {
    pub(crate) fn new(registry: &Path, dataset: &'static Dataset) -> Self {
        Self { path: registry.join(dataset.name), registry: registry.to_owned(), dataset }
    }

    pub(crate) const fn dataset(&self) -> &'static Dataset {
        self.dataset
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn editions(&self) -> PathBuf {
        self.path.join("editions")
    }

    pub(crate) fn edition(&self, label: &str) -> PathBuf {
        self.editions().join(format!("{label}.{EXTENSION}"))
    }

    pub(crate) fn rejects(&self) -> PathBuf {
        self.path.join("rejects")
    }

    pub(crate) fn rejects_of(&self, label: &str) -> PathBuf {
        self.rejects().join(format!("{label}.txt"))
    }

    pub(crate) fn changes(&self) -> PathBuf {
        self.path.join("changes")
    }

    pub(crate) fn history(&self) -> PathBuf {
        self.path.join("history.kuraka-history")
    }

    pub(crate) fn months(&self) -> PathBuf {
        self.path.join("months.kuraka-months")
    }

    fn pointer(&self) -> PathBuf {
        self.path.join("CURRENT")
    }

    fn rolled_back_file(&self) -> PathBuf {
        self.path.join("ROLLED_BACK")
    }

    /// One RUC a line, for all datasets.
    pub(crate) fn forgotten_file(&self) -> PathBuf {
        self.registry.join("FORGOTTEN")
    }

    /// Natural persons whose past is not kept, by rising RUC.
    pub(crate) fn forgotten(&self) -> Result<Vec<Ruc>, FileError> {
        let path = self.forgotten_file();
        let text = doing("reading", &path, absent_is_none(fs::read_to_string(&path)))?.unwrap_or_default();
        let lines = text.lines().map(Ruc::parse).collect::<Result<Vec<_>, _>>();
        let mut rucs = doing("reading", &path, lines.map_err(io::Error::other))?;
        rucs.sort_unstable();
        Ok(rucs)
    }

    /// Creates the folder and its parts, durably.
    pub(crate) fn create(&self, disk: &dyn Disk) -> Result<(), FileError> {
        for path in [self.editions(), self.rejects(), self.changes()] {
            doing("creating the folder", &path, create_folder(disk, &path))?;
        }
        // Also if they exist: their creator may have been killed before it synced.
        for path in self.path.ancestors().take_while(|path| path.starts_with(&self.registry)) {
            doing("syncing the folder", path, disk.sync_folder(path))?;
        }
        doing("syncing the folder", &self.registry, sync_above(disk, above(&self.registry)))
    }

    /// Changes with every publication and every added or removed change list.
    pub(crate) fn stamp(&self) -> Stamp {
        [self.changes(), self.pointer()].map(|path| FileState::read(&path))
    }

    /// The lock for publishing and rolling back; `None` = another process has it.
    pub(crate) fn lock(&self) -> Result<Option<File>, FileError> {
        let path = self.path.join("LOCK");
        let file = doing("opening", &path, File::options().create(true).append(true).open(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(FileError { action: "locking", path, source }),
        }
    }

    pub(crate) fn wait_for_lock(&self) -> Result<File, FileError> {
        let path = self.path.join("LOCK");
        let file = doing("opening", &path, File::options().create(true).append(true).open(&path))?;
        doing("locking", &path, file.lock())?;
        Ok(file)
    }

    /// What `CURRENT` says; `None` = nothing was published, or it is unreadable.
    pub(crate) fn published(&self) -> Result<Option<Current>, FileError> {
        let path = self.pointer();
        let text = doing("reading", &path, absent_is_none(fs::read(&path)))?.unwrap_or_default();
        let parse = |text: &str| {
            let (label, number) = text.trim().split_once(' ').filter(|(label, _)| is_label(label))?;
            Some(Current { label: label.to_owned(), number: number.parse().ok()? })
        };
        Ok(std::str::from_utf8(&text).ok().and_then(parse))
    }

    /// `None` as for [`Folder::published`].
    pub(crate) fn current(&self) -> Result<Option<PathBuf>, FileError> {
        Ok(self.published()?.map(|current| self.edition(&current.label)))
    }

    pub(crate) fn set_current(&self, disk: &dyn Disk, label: &str, number: u64) -> Result<(), FileError> {
        replace(disk, &self.pointer(), format!("{label} {number}\n").as_bytes())
    }

    /// Oldest first.
    pub(crate) fn rolled_back(&self) -> Result<Vec<RolledBack>, FileError> {
        let path = self.rolled_back_file();
        let text = doing("reading", &path, absent_is_none(fs::read(&path)))?.unwrap_or_default();
        let line = |line: &str| {
            let (label, sha256) = line.split_once(' ').unwrap_or((line, ""));
            RolledBack { label: label.to_owned(), sha256: sha256.to_owned() }
        };
        Ok(String::from_utf8_lossy(&text).lines().map(line).collect())
    }

    /// Forgets the mark of this label and remembers `from`; the oldest marks are dropped.
    pub(crate) fn mark_rolled_back(
        &self,
        disk: &dyn Disk,
        label: &str,
        from: Option<RolledBack>,
    ) -> Result<(), FileError> {
        let old = self.rolled_back()?;
        let marks: Vec<_> = old.iter().filter(|known| known.label != label).cloned().chain(from).collect();
        let marks = marks.get(marks.len().saturating_sub(REMEMBERED)..).unwrap_or_default();
        if old == marks {
            return Ok(());
        }
        let text: String = marks.iter().map(|RolledBack { label, sha256 }| format!("{label} {sha256}\n")).collect();
        replace(disk, &self.rolled_back_file(), text.as_bytes())
    }

    pub(crate) fn remove_unfinished(&self, disk: &dyn Disk) -> Result<(), FileError> {
        for folder in [self.path.clone(), self.editions(), self.rejects(), self.changes()] {
            for path in paths_in(&folder)? {
                if is_unfinished(&path) {
                    doing("removing", &path, disk.remove(&path))?;
                }
            }
        }
        Ok(())
    }
}

/// Creates a folder and those above it.
pub(super) fn create_folder(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    let above = above(path);
    create_folder(disk, above)?;
    match fs::create_dir(path) {
        // Another process created it in the meantime.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
        other => other?,
    }
    sync_above(disk, above)
}

fn above(path: &Path) -> &Path {
    path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Another user's folder is that user's to sync.
fn sync_above(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    match disk.sync_folder(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        result => result,
    }
}
