//! The kept editions, described for operators.

use std::path::{Path, PathBuf};

use super::kept::newest_first;
use super::layout::{Folder, label_of};
use super::open::OpenError;
use crate::dataset::Dataset;
use crate::edition::Summary;
use crate::{DatasetMeta, EditionError, Meta};

/// An edition in the folder, of the padrón or of a dataset.
#[derive(Clone, Debug)]
pub struct KeptEdition<M = Meta> {
    /// Its metadata.
    pub meta: M,
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
    kept(&Folder::new(folder), Summary::padron_meta)
}

/// An edition of a dataset in its folder.
pub type KeptDataset = KeptEdition<DatasetMeta>;

/// The editions of `dataset` kept by the registry in `folder`, as [`editions`].
///
/// # Errors
/// [`OpenError::Folder`] if the folder cannot be read.
pub fn dataset_editions(folder: &Path, dataset: &Dataset) -> Result<Vec<KeptDataset>, OpenError> {
    let meta = |summary: &Summary| {
        if dataset.is_padron() { summary.padron_meta().map(DatasetMeta::from) } else { summary.dataset_meta(dataset) }
    };
    kept(&Folder::of(folder, dataset), meta)
}

fn kept<M>(
    folder: &Folder,
    meta: impl Fn(&Summary) -> Result<M, EditionError>,
) -> Result<Vec<KeptEdition<M>>, OpenError> {
    let current = folder.current()?;
    let rolled_back = folder.rolled_back()?;
    let kept = newest_first(folder)?.into_iter().filter_map(|(path, summary)| {
        let summary = summary?;
        let meta = meta(&summary).ok()?;
        let current = current.as_deref() == Some(&path);
        let rolled_back = rolled_back.contains(&label_of(&path));
        Some(KeptEdition { meta, path, bytes: summary.bytes, current, rolled_back })
    });
    Ok(kept.collect())
}
