//! Which editions the folder keeps, in which order they are tried, and which ones go.

use std::fs;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::{EXTENSION, FileError, Folder, absent_is_none, doing};
use crate::edition::{self, Summary};
use crate::{Meta, OpenError};

/// Editions kept, the current one included.
const KEPT: usize = 3;

/// An edition in the folder.
#[derive(Clone, Debug)]
pub struct KeptEdition {
    /// What it says about itself.
    pub meta: Meta,
    /// Its file.
    pub path: PathBuf,
    /// The file's length.
    pub bytes: u64,
    /// Whether it is the current one.
    pub current: bool,
    /// Whether an operator rolled back from it.
    pub rolled_back: bool,
}

/// The editions kept in `folder`, the last published first. Unreadable ones are left out.
///
/// Only the header and the facts are read, so this is quick and does not verify the rows.
///
/// # Errors
/// [`OpenError::Folder`] if the folder cannot be read.
pub fn editions(folder: &Path) -> Result<Vec<KeptEdition>, OpenError> {
    let folder = Folder::new(folder);
    let current = folder.current()?;
    let rolled_back = folder.rolled_back()?;
    let kept = newest_first(&folder)?.into_iter().filter_map(|(path, summary)| {
        let Summary { meta, bytes, .. } = summary?;
        let current = current.as_deref() == Some(&path);
        let rolled_back = rolled_back.contains(&meta.label);
        Some(KeptEdition { meta, path, bytes, current, rolled_back })
    });
    Ok(kept.collect())
}

/// The edition files to try, best first: the current one, then the others by falling order of publication.
/// Editions that were rolled back from are not tried.
pub(crate) fn candidates(folder: &Folder) -> Result<Vec<PathBuf>, FileError> {
    let current = folder.current()?;
    let rolled_back = folder.rolled_back()?;
    let rolled_back: Vec<PathBuf> = rolled_back.iter().map(|label| folder.edition(label)).collect();
    let others = newest_first(folder)?
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| Some(path) != current.as_ref() && !rolled_back.contains(path));
    Ok(current.iter().cloned().chain(others).collect())
}

/// The sequence number for the next publication.
pub(crate) fn next_sequence(folder: &Folder) -> Result<u64, FileError> {
    let sequences = newest_first(folder)?.into_iter().filter_map(|(_, summary)| Some(summary?.sequence));
    Ok(sequences.max().map_or(1, |last| last.saturating_add(1)))
}

/// Removes all but the last [`KEPT`] editions, never the current one, and the rejects of editions that are gone.
pub(crate) fn prune(folder: &Folder, disk: &dyn Disk) -> Result<(), FileError> {
    let current = folder.current()?;
    let others = newest_first(folder)?.into_iter().map(|(path, _)| path).filter(|path| Some(path) != current.as_ref());
    for path in others.skip(KEPT - 1) {
        doing("removing", &path, disk.remove(&path))?;
    }
    let rejects = folder.rejects();
    for entry in doing("reading the folder", &rejects, fs::read_dir(&rejects))? {
        let path = doing("reading the folder", &rejects, entry)?.path();
        let edition = path.file_stem().map(|label| folder.edition(&label.to_string_lossy()));
        if edition.is_some_and(|edition| !edition.exists()) {
            doing("removing", &path, disk.remove(&path))?;
        }
    }
    Ok(())
}

/// An edition file, and what it says about itself if it can be read.
pub(crate) type Described = (PathBuf, Option<Summary>);

/// Every edition file, the last published first, unreadable ones at the end.
pub(crate) fn newest_first(folder: &Folder) -> Result<Vec<Described>, FileError> {
    let path = folder.editions();
    let Some(entries) = doing("reading the folder", &path, absent_is_none(fs::read_dir(&path)))? else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for entry in entries {
        let file = doing("reading the folder", &path, entry)?.path();
        if file.extension().is_some_and(|extension| extension == EXTENSION) {
            let summary = edition::summarise(&file).ok();
            found.push((file, summary));
        }
    }
    found.sort_by_key(|(_, summary)| std::cmp::Reverse(summary.as_ref().map_or(0, |summary| summary.sequence)));
    Ok(found)
}
