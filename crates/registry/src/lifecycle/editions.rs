//! The kept editions, for operators.

use std::path::{Path, PathBuf};

use super::kept::newest_first;
use super::open::OpenError;
use crate::Meta;
use crate::dataset::Dataset;
use crate::folder::{Folder, label_of};

#[derive(Clone, Debug)]
pub struct KeptEdition {
    pub meta: Meta,
    pub path: PathBuf,
    pub bytes: u64,
    pub current: bool,
    /// Its place among the recorded rollbacks, the first one first.
    pub rolled_back: Option<usize>,
}

/// The kept editions of `dataset`, the last published first. Unreadable ones are omitted. Reads only headers and facts,
/// so it is quick and verifies no rows.
///
/// # Errors
/// [`OpenError::Folder`] if the folder cannot be read.
pub fn editions(registry: &Path, dataset: &'static Dataset) -> Result<Vec<KeptEdition>, OpenError> {
    let folder = Folder::new(registry, dataset);
    let current = folder.current()?;
    let rolled_back = folder.rolled_back()?;
    let kept = newest_first(&folder)?.into_iter().filter_map(|(path, summary)| {
        let summary = summary?;
        let current = current.as_deref() == Some(&path);
        let label = label_of(&path);
        let rolled_back = rolled_back.iter().position(|from| from.label == label);
        Some(KeptEdition { meta: summary.meta, path, bytes: summary.bytes, current, rolled_back })
    });
    Ok(kept.collect())
}
