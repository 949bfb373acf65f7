//! Lists folders, and replaces files by writing a temporary file and renaming it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::error::{FileError, absent_is_none, doing};

const CHUNK: usize = 1 << 20;
const UNFINISHED: &str = "tmp";

/// The temporary name of `path` while it is being written.
pub(crate) fn unfinished(path: &Path) -> PathBuf {
    path.with_added_extension(UNFINISHED)
}

pub(crate) fn is_unfinished(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == UNFINISHED)
}

/// Calls `make` with the temporary name of `path`, and removes what it leaves there.
pub(crate) fn make_aside<T, E>(disk: &dyn Disk, path: &Path, make: impl FnOnce(&Path) -> Result<T, E>) -> Result<T, E> {
    let aside = unfinished(path);
    let made = make(&aside);
    if aside.exists() {
        // The next import removes files that cannot be removed now.
        let _ = disk.remove(&aside);
    }
    made
}

/// After a crash the file has the old content or the new.
pub(crate) fn replace(disk: &dyn Disk, path: &Path, content: &[u8]) -> Result<(), FileError> {
    let aside = unfinished(path);
    let mut file = doing("creating", &aside, disk.create(&aside))?;
    doing("writing", &aside, disk.write(&mut file, content))?;
    doing("syncing", &aside, disk.sync(&file))?;
    move_into_place(disk, &aside, path)
}

/// Renames a synced file and makes the rename durable.
pub(crate) fn move_into_place(disk: &dyn Disk, from: &Path, to: &Path) -> Result<(), FileError> {
    doing("renaming", from, disk.rename(from, to))?;
    let folder = to.parent().unwrap_or(Path::new("."));
    doing("syncing the folder", folder, disk.sync_folder(folder))
}

/// Copies a file, also from another file system, and syncs the copy.
pub(crate) fn copy(disk: &dyn Disk, from: &Path, to: &Path) -> Result<(), FileError> {
    let mut source = doing("opening", from, File::open(from))?;
    let mut file = doing("creating", to, disk.create(to))?;
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = doing("reading", from, source.read(&mut chunk))?;
        if read == 0 {
            return doing("syncing", to, disk.sync(&file));
        }
        doing("writing", to, disk.write(&mut file, chunk.get(..read).unwrap_or_default()))?;
    }
}

/// The paths in a folder, which may be missing.
pub(crate) fn paths_in(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let entries = doing("reading the folder", folder, absent_is_none(fs::read_dir(folder)))?;
    let paths = entries.into_iter().flatten().map(|entry| entry.map(|entry| entry.path())).collect();
    doing("reading the folder", folder, paths)
}
