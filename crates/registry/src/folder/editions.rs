//! The kept editions, described for operators.

use std::path::{Path, PathBuf};

use super::kept::newest_first;
use super::layout::Folder;
use super::open::OpenError;
use crate::Meta;
use crate::edition::Summary;

/// An edition in the folder.
#[derive(Clone, Debug)]
pub struct KeptEdition {
    /// Its metadata.
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

/// The editions kept in `folder`, the last published first. Unreadable ones are omitted.
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
