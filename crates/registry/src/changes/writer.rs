//! Writes change lists.

use std::path::Path;

use super::change::{Change, ChangeKind};
use super::codec;
use super::facts::{Counts, ListFacts};
use super::list::KIND;
use super::stop::ComparisonStop;
use crate::block_file::{self, BlockWriter};
use crate::edition::MAX_TEXTS_BYTES;
use crate::folder::disk::Disk;
use crate::row_id::row_id_of;

/// A change list that is being written.
pub(super) struct ListWriter<'a, 'd> {
    rows: &'a mut BlockWriter<'d>,
    counts: Counts,
    bytes: Vec<u8>,
}

/// Writes a list with the changes that `fill` pushes, and moves it to `path`. Its facts get the counts of the changes.
/// Returns these and the file's length.
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

impl ListWriter<'_, '_> {
    /// Appends a change. Changes come by rising row id.
    pub(super) fn push(&mut self, change: &Change) -> Result<(), ComparisonStop> {
        let count = match change.kind {
            ChangeKind::New { .. } => &mut self.counts.new,
            ChangeKind::Gone { .. } => &mut self.counts.gone,
            ChangeKind::Changed { .. } | ChangeKind::Rows { .. } => &mut self.counts.changed,
        };
        *count += 1;
        self.bytes.clear();
        codec::encode(&change.kind, &mut self.bytes);
        if self.bytes.len() > MAX_TEXTS_BYTES {
            return Err(ComparisonStop::too_long());
        }
        Ok(self.rows.push(row_id_of(change.ruc), &self.bytes)?)
    }
}
