//! Where the parts of an index of names are in its section.

use super::blocks::Reader;
use crate::format::{u32_at, u64_at};
use crate::row_id;

/// Bytes before the row ids: documents, active ones of them, terms (`u32` each).
pub(super) const HEAD: usize = 12;
pub(super) const ROW_ID: usize = 4;

pub(super) const GROUP: usize = 64;
/// Rows of the signature, a power of two.
pub(super) const SIGNATURE_ROWS: usize = 2048;
/// Bytes of an entry of the groups' table: where its terms begin, their lengths, and its lists (`u64` each).
pub(super) const ENTRY: usize = 24;

pub(super) const fn row_length(groups: usize) -> usize {
    groups.div_ceil(8)
}

/// The parts of an open edition's index of names: where they begin in the content of its section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameIndex {
    /// Documents. The active ones come first.
    pub(crate) documents: u32,
    pub(crate) active: u32,
    /// Groups of terms.
    pub(super) groups: usize,
    /// For each group where its terms and its lists begin, and where the last ones end.
    pub(super) table: usize,
    pub(super) signature: usize,
    pub(super) texts: usize,
    pub(super) lists: usize,
}

impl NameIndex {
    /// The parts of an index with so many documents and terms. The lists begin after the texts, whose length is not known.
    pub(super) fn new(documents: u32, active: u32, terms: u32) -> Self {
        let groups = (terms as usize).div_ceil(GROUP);
        let table = HEAD + documents as usize * ROW_ID;
        let signature = table + (groups + 1) * ENTRY;
        let texts = signature + SIGNATURE_ROWS * row_length(groups);
        Self { documents, active, groups, table, signature, texts, lists: texts }
    }

    /// Reads the section; `None` if it is not an index.
    pub(crate) fn open(section: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(section);
        let length = reader.len();
        let head = reader.read(0, HEAD)?;
        let mut index = Self::new(u32_at(head, 0)?, u32_at(head, 4)?, u32_at(head, 8)?);
        let last = reader.read(index.table + index.groups * ENTRY, ENTRY)?;
        let (texts, lists) = (usize::try_from(u64_at(last, 0)?).ok()?, usize::try_from(u64_at(last, 16)?).ok()?);
        index.lists = index.texts.checked_add(texts)?;
        let end = index.lists.checked_add(lists)?;
        // More would be more companies than there are RUCs.
        (index.active <= index.documents && index.documents <= row_id::PER_KIND && end <= length).then_some(index)
    }
}
