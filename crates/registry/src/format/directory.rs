//! The offset and the first row of each block.
//!
//! Layout: for each block, and once more for the end, a `u32` offset into the rows and a `u32` row number. It is half a
//! megabyte, so an open edition keeps a checked copy that later damage to the file cannot change.

use super::u32_at;
use crate::row_id::{BLOCK_BITS, BLOCKS};

/// Bytes of one entry.
const ENTRY: usize = 8;

/// One entry: the start of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Offset into the rows.
    pub(crate) offset: u32,
    /// Number of the block's first row.
    pub(crate) ordinal: u32,
}

/// The directory of an open edition.
#[derive(Debug)]
pub(crate) struct Directory(Box<[Entry]>);

impl Directory {
    /// Reads the section; `None` if it is not a directory of `rows_length` bytes of rows.
    pub(crate) fn decode(section: &[u8], rows_length: u64) -> Option<Self> {
        let entries: Box<[Entry]> = section
            .chunks_exact(ENTRY)
            .map(|entry| Some(Entry { offset: u32_at(entry, 0)?, ordinal: u32_at(entry, 4)? }))
            .collect::<Option<_>>()?;
        let rising = entries.is_sorted_by(|a, b| {
            let rows = b.ordinal.checked_sub(a.ordinal);
            a.offset <= b.offset && rows.is_some_and(|rows| rows <= 1 << BLOCK_BITS)
        });
        let whole = section.len() == (BLOCKS as usize + 1) * ENTRY;
        let first = entries.first()?;
        let from_zero = first.offset == 0 && first.ordinal == 0;
        let to_end = u64::from(entries.last()?.offset) == rows_length;
        (rising && whole && from_zero && to_end).then_some(Self(entries))
    }

    /// The section's bytes for these entries.
    pub(crate) fn encode(entries: &[Entry]) -> Vec<u8> {
        let mut section = Vec::with_capacity(entries.len() * ENTRY);
        for entry in entries {
            section.extend_from_slice(&entry.offset.to_le_bytes());
            section.extend_from_slice(&entry.ordinal.to_le_bytes());
        }
        section
    }

    /// Rows in the edition.
    pub(crate) fn rows(&self) -> u64 {
        self.0.last().map_or(0, |entry| u64::from(entry.ordinal))
    }

    /// The start of block `number` and of the next one.
    pub(crate) fn block(&self, number: u32) -> Option<(Entry, Entry)> {
        let number = number as usize;
        Some((*self.0.get(number)?, *self.0.get(number + 1)?))
    }

    /// The block that holds row number `ordinal`; `None` past the last row.
    pub(crate) fn block_of(&self, ordinal: u64) -> Option<u32> {
        let after = self.0.partition_point(|entry| u64::from(entry.ordinal) <= ordinal);
        (after < self.0.len()).then_some(())?;
        u32::try_from(after.checked_sub(1)?).ok()
    }
}
