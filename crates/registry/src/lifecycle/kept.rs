//! Which editions are kept, in which order they are tried, and which are removed.

use std::path::PathBuf;

use crate::changes::{self, MAX_NUMBER};
use crate::edition::{self, Summary};
use crate::folder::disk::Disk;
use crate::folder::{EXTENSION, FileError, Folder, doing, paths_in};

/// The current one included.
const EDITIONS_RETAINED: usize = 3;

/// The editions to try: the current one, then the others, last published first, without those rolled back from.
pub(crate) fn candidates(folder: &Folder) -> Result<Vec<PathBuf>, FileError> {
    let (usable, _) = others(folder)?;
    Ok(folder.current()?.into_iter().chain(usable).collect())
}

/// Removes all but [`EDITIONS_RETAINED`] editions and their rejects: first those rolled back from, then the first
/// published, never the current one.
pub(crate) fn prune(folder: &Folder, disk: &dyn Disk) -> Result<(), FileError> {
    let (usable, rolled_back) = others(folder)?;
    for path in usable.into_iter().chain(rolled_back).skip(EDITIONS_RETAINED - 1) {
        doing("removing", &path, disk.remove(&path))?;
    }
    for path in paths_in(&folder.rejects())? {
        let edition = path.file_stem().map(|label| folder.edition(&label.to_string_lossy()));
        if edition.is_some_and(|edition| !edition.exists()) {
            doing("removing", &path, disk.remove(&path))?;
        }
    }
    Ok(())
}

/// The editions beside the current one, last published first, and those rolled back from.
fn others(folder: &Folder) -> Result<(Vec<PathBuf>, Vec<PathBuf>), FileError> {
    let (current, rolled_back) = (folder.current()?, folder.rolled_back()?);
    let rolled_back: Vec<PathBuf> = rolled_back.iter().map(|from| folder.edition(&from.label)).collect();
    let paths = newest_first(folder)?.into_iter().map(|(path, _)| path);
    let others = paths.filter(|path| Some(path) != current.as_ref());
    Ok(others.partition(|path| !rolled_back.contains(path)))
}

/// No publication had it before, not even one that did not end.
pub(crate) fn next_number(folder: &Folder) -> Result<u64, FileError> {
    let editions = newest_first(folder)?.into_iter().filter_map(|(_, summary)| Some(summary?.sequence));
    let current = folder.published()?.map(|current| current.number);
    let known = editions.chain(current).chain([changes::last_number(folder)?]).filter(|number| *number < MAX_NUMBER);
    Ok(known.max().unwrap_or(0) + 1)
}

/// `None` if it cannot be read.
pub(crate) type DescribedEdition = (PathBuf, Option<Summary>);

/// Every edition file, last published first, unreadable ones at the end.
pub(crate) fn newest_first(folder: &Folder) -> Result<Vec<DescribedEdition>, FileError> {
    let mut paths = paths_in(&folder.editions())?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    let describe = |path: PathBuf| (edition::summarise(folder.dataset(), &path).ok(), path);
    let mut found: Vec<_> = paths.into_iter().map(describe).map(|(summary, path)| (path, summary)).collect();
    found.sort_by_key(|(_, summary)| std::cmp::Reverse(summary.as_ref().map_or(0, |summary| summary.sequence)));
    Ok(found)
}
