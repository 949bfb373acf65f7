//! Where the parts of an index of names are in its section.

use super::blocks::Reader;
use crate::format::{u32_at, u64_at};
use crate::row_id;

/// Bytes before the row ids: documents, active ones of them, terms (`u32` each).
pub(super) const HEAD: usize = 12;
/// Bytes of a document's row id.
pub(super) const ROW_ID: usize = 4;

/// Documents from one sampled name to the next.
pub(super) const SAMPLED: u32 = 128;
/// Bytes of a sampled name: the first ones, zero-padded.
pub(super) const SAMPLE: usize = 24;

/// Terms of a group.
pub(super) const GROUP: usize = 64;
/// Rows of the signature, a power of two.
pub(super) const ROWS: usize = 2048;
/// Bytes of an entry of the groups' table: where its terms begin, their lengths, and its lists (`u64` each).
pub(super) const ENTRY: usize = 24;

/// Bytes of a row of the signature.
pub(super) const fn width(groups: usize) -> usize {
    groups.div_ceil(8)
}

/// Bytes of the signature.
pub(super) const fn signature_bytes(groups: usize) -> usize {
    ROWS * width(groups)
}

/// The first bytes of a folded name, zero-padded. They ascend as names do.
pub(super) fn sample(name: &str) -> [u8; SAMPLE] {
    let mut sample = [0; SAMPLE];
    sample.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
    sample
}

/// Where the parts of an open edition's index begin in the content of its section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    /// Documents. The active ones come first.
    pub(super) documents: u32,
    pub(super) active: u32,
    /// Groups of terms.
    pub(super) groups: usize,
    /// The row id of each document.
    pub(super) rows: usize,
    /// The beginning of the name of every [`SAMPLED`]th document.
    pub(super) samples: usize,
    /// For each group where its terms and its lists begin, and where the last ones end.
    pub(super) table: usize,
    pub(super) signature: usize,
    pub(super) texts: usize,
    pub(super) lists: usize,
}

impl Names {
    /// The parts of an index with so many documents and terms, as far as their lengths are known.
    pub(super) fn of(documents: u32, active: u32, terms: u32) -> Self {
        let groups = (terms as usize).div_ceil(GROUP);
        let samples = HEAD + documents as usize * ROW_ID;
        let table = samples + documents.div_ceil(SAMPLED) as usize * SAMPLE;
        let signature = table + (groups + 1) * ENTRY;
        let texts = signature + signature_bytes(groups);
        Self { documents, active, groups, rows: HEAD, samples, table, signature, texts, lists: texts }
    }

    /// Reads the section; `None` if it is not an index.
    pub(crate) fn open(section: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(section);
        let length = reader.len();
        let head = reader.read(0, HEAD)?;
        let mut names = Self::of(u32_at(head, 0)?, u32_at(head, 4)?, u32_at(head, 8)?);
        let last = reader.read(names.table + names.groups * ENTRY, ENTRY)?;
        let (texts, lists) = (usize::try_from(u64_at(last, 0)?).ok()?, usize::try_from(u64_at(last, 16)?).ok()?);
        names.lists = names.texts.checked_add(texts)?;
        let end = names.lists.checked_add(lists)?;
        // More would be more companies than there are RUCs.
        (names.active <= names.documents && names.documents <= row_id::PER_KIND && end <= length).then_some(names)
    }
}
