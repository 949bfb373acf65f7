//! The places of an index's parts in its section.

use super::blocks::Reader;
use crate::format::{u32_at, u64_at};
use crate::row_id;

/// Documents, active ones, terms (`u32` each).
pub(super) const HEAD: usize = 12;
pub(super) const ROW_ID: usize = 4;

pub(super) const GROUP: usize = 64;
/// A power of two.
pub(super) const SIGNATURE_ROWS: usize = 2048;
/// Where a group's terms, their lengths and its lists begin (`u64` each).
pub(super) const ENTRY: usize = 24;

pub(super) const fn row_length(groups: usize) -> usize {
    groups.div_ceil(8)
}

/// The parts of an open index, by their place in the section's content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameIndex {
    /// The active ones come first.
    pub(crate) documents: u32,
    pub(crate) active: u32,
    pub(super) groups: usize,
    /// The groups' entries, and one for the end.
    pub(super) table: usize,
    pub(super) signature: usize,
    pub(super) texts: usize,
    pub(super) lists: usize,
}

impl NameIndex {
    /// The lists begin after the texts, whose length is not known yet.
    pub(super) fn new(documents: u32, active: u32, terms: u32) -> Self {
        let groups = (terms as usize).div_ceil(GROUP);
        let table = HEAD + documents as usize * ROW_ID;
        let signature = table + (groups + 1) * ENTRY;
        let texts = signature + SIGNATURE_ROWS * row_length(groups);
        Self { documents, active, groups, table, signature, texts, lists: texts }
    }

    /// `None` if it is no index.
    pub(crate) fn open(section: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(section);
        let length = reader.len();
        let head = reader.read(0, HEAD)?;
        let mut index = Self::new(u32_at(head, 0)?, u32_at(head, 4)?, u32_at(head, 8)?);
        let last = reader.read(index.table + index.groups * ENTRY, ENTRY)?;
        let (texts, lists) = (usize::try_from(u64_at(last, 0)?).ok()?, usize::try_from(u64_at(last, 16)?).ok()?);
        index.lists = index.texts.checked_add(texts)?;
        let end = index.lists.checked_add(lists)?;
        // There are no more companies than RUCs.
        (index.active <= index.documents && index.documents <= row_id::PER_KIND && end <= length).then_some(index)
    }
}
