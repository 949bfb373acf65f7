//! Writes change lists.

use std::fs::File;
use std::path::Path;

use super::change::Change;
use super::codec;
use super::facts::{Counts, ListFacts};
use super::list::{ChangeList, KIND};
use super::stop::ComparisonStop;
use crate::block_file::{self, BlockError, BlockWriter};
use crate::edition::MAX_TEXTS_BYTES;
use crate::folder::disk::Disk;
use crate::folder::doing;
use crate::row_id::row_id_of;

pub(super) struct ListWriter<'a, 'd> {
    rows: &'a mut BlockWriter<'d>,
    counts: Counts,
    bytes: Vec<u8>,
}

/// Writes a list with the changes that `fill` pushes, and their counts in its facts. Returns these and the file's
/// length.
pub(super) fn write(
    disk: &dyn Disk,
    path: &Path,
    mut facts: ListFacts,
    fill: impl FnOnce(&mut ListWriter<'_, '_>) -> Result<(), ComparisonStop>,
) -> Result<(Counts, u64), ComparisonStop> {
    let mut counts = Counts::default();
    let length = block_file::write(disk, path, KIND, |rows| {
        let mut writer = ListWriter { rows, counts: Counts::default(), bytes: Vec::new() };
        fill(&mut writer)?;
        counts = writer.counts;
        facts.counts = counts;
        Ok::<_, ComparisonStop>(facts)
    })?;
    Ok((counts, length))
}

/// Rewrites the list without the changes that `edit` drops, and keeps its time of modification.
pub(crate) fn rewrite(
    disk: &dyn Disk,
    path: &Path,
    mut edit: impl FnMut(Change) -> Option<Change>,
) -> Result<(), BlockError> {
    let list = ChangeList::open(path)?;
    let written = doing("reading", path, path.metadata().and_then(|file| file.modified()))?;
    let changed = write(disk, path, list.facts().clone(), |writer| {
        list.changes().try_for_each(|change| edit(change?).map_or(Ok(()), |change| writer.push(&change)))
    });
    changed.map_err(|stop| match stop {
        ComparisonStop::File(error) => error.into(),
        // What was read was written once.
        ComparisonStop::Gap(_) => BlockError::Damaged { kind: KIND.name, what: "it cannot be read" },
    })?;
    let file = doing("opening", path, File::options().write(true).open(path))?;
    Ok(doing("dating", path, file.set_modified(written))?)
}

impl ListWriter<'_, '_> {
    /// Row ids rise.
    pub(super) fn push(&mut self, change: &Change) -> Result<(), ComparisonStop> {
        self.counts.add(&change.kind);
        self.bytes.clear();
        codec::encode(&change.kind, &mut self.bytes);
        if self.bytes.len() > MAX_TEXTS_BYTES {
            return Err(ComparisonStop::too_long());
        }
        Ok(self.rows.push(row_id_of(change.ruc), &self.bytes)?)
    }
}
