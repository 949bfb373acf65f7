//! Reads the rows of editions that were written before groups: sections `rows` and `dir` of version 1.
//!
//! 8,192 consecutive row ids form a *block*, made of buckets of eight rows. A block begins with a table: for each
//! bucket, its first key (`u16`) and its offset from the block's start (`u32`). A row's key is its row id within the
//! block. `dir` contains, for each block and once more for the end, a `u32` offset into `rows` and a `u32` row number.
//!
//! A bucket contains a check, the keys of its rows (`u16`), then the same as a [`Bucket`] of today. The check is
//! started with the block, the bucket's number in it, its first key and the next bucket's.

use std::ops::Range;

use super::bucket::Bucket;
use super::groups::GROUP_BITS;
use super::header::SectionKind;
use super::u32_at;
use crate::CorruptRow;
use crate::row_id::ROW_IDS;

/// The blocks.
pub(crate) const ROWS: SectionKind = SectionKind { name: *b"rows\0\0\0\0", version: 1 };
/// Where each block begins.
pub(crate) const DIRECTORY: SectionKind = SectionKind { name: *b"dir\0\0\0\0\0", version: 1 };

/// Row ids of a block, as a power of two.
const BLOCK_BITS: u32 = 13;
/// Blocks of an edition.
const BLOCKS: u32 = ROW_IDS.div_ceil(1 << BLOCK_BITS);
/// Keys of a block, and so the key past its last.
const KEYS: u16 = 1 << BLOCK_BITS;
/// Rows of a bucket, except of a block's last one.
const BUCKET_ROWS: usize = 8;
/// Bytes of a bucket's check, of an entry of a block's table, of a key.
const CHECK: usize = 4;
const ENTRY: usize = 6;
const KEY: usize = 2;
/// 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Where the rows of an open edition of version 1 are.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// Offset and number of the first row of each block, and of the end.
    directory: Box<[(u32, u32)]>,
    /// The section `rows` in the file.
    rows: Range<usize>,
}

/// One block, not yet checked.
#[derive(Clone, Copy)]
struct Block<'a> {
    number: u32,
    rows: usize,
    bytes: &'a [u8],
}

impl Blocks {
    /// Reads the section `dir`; `None` if it is not the directory of these rows.
    pub(crate) fn decode(section: &[u8], rows: Range<usize>) -> Option<Self> {
        let entries = section.chunks_exact(8).map(|entry| Some((u32_at(entry, 0)?, u32_at(entry, 4)?)));
        let directory: Box<[(u32, u32)]> = entries.collect::<Option<_>>()?;
        let rising = directory
            .is_sorted_by(|a, b| a.0 <= b.0 && b.1.checked_sub(a.1).is_some_and(|rows| rows <= u32::from(KEYS)));
        let whole = section.len() == (BLOCKS as usize + 1) * 8;
        let from_zero = directory.first() == Some(&(0, 0));
        let to_end = directory.last()?.0 as usize == rows.len();
        (rising && whole && from_zero && to_end).then_some(Self { directory, rows })
    }

    /// Rows in the edition.
    pub(crate) fn count(&self) -> u64 {
        self.directory.last().map_or(0, |&(_, ordinal)| u64::from(ordinal))
    }

    /// The bucket that has `row_id`, if any has it; `None` = its block has no rows.
    pub(crate) fn bucket_of(&self, file: &[u8], row_id: u32) -> Result<Option<Bucket>, CorruptRow> {
        let Some(block) = self.block(file, row_id >> BLOCK_BITS) else { return Ok(None) };
        let key = row_id as u16 & (KEYS - 1);
        let mut index = (usize::from(key) * block.buckets()) >> BLOCK_BITS;
        while index > 0 && block.entry(index).is_some_and(|(first, _)| first > key) {
            index -= 1;
        }
        while index + 1 < block.buckets() && block.entry(index + 1).is_some_and(|(first, _)| first <= key) {
            index += 1;
        }
        block.bucket(index).map(Some)
    }

    /// The bucket with row number `ordinal`, and the row's position in it; `None` = past the last row.
    pub(crate) fn bucket_at(&self, file: &[u8], ordinal: u64) -> Result<Option<(Bucket, usize)>, CorruptRow> {
        let after = self.directory.partition_point(|&(_, first)| u64::from(first) <= ordinal);
        let number = after.saturating_sub(1);
        let Some(block) = self.block(file, number as u32) else { return Ok(None) };
        let first = self.directory.get(number).map_or(0, |&(_, first)| u64::from(first));
        let rank = ordinal.saturating_sub(first) as usize;
        Ok(Some((block.bucket(rank / BUCKET_ROWS)?, rank % BUCKET_ROWS)))
    }

    /// Every bucket, in the order of row ids.
    pub(crate) fn buckets<'a>(&'a self, file: &'a [u8]) -> impl Iterator<Item = Result<Bucket, CorruptRow>> + 'a {
        let blocks = (0..BLOCKS).filter_map(move |number| self.block(file, number));
        blocks.flat_map(|block| (0..block.buckets()).map(move |index| block.bucket(index)))
    }

    /// The buckets of a group of [`Groups`](super::groups::Groups), in the order of row ids.
    pub(crate) fn group_buckets(&self, file: &[u8], group: u32) -> Result<Vec<Bucket>, CorruptRow> {
        let blocks = group << (GROUP_BITS - BLOCK_BITS)..(group + 1) << (GROUP_BITS - BLOCK_BITS);
        let blocks = blocks.filter_map(|number| self.block(file, number));
        blocks.flat_map(|block| (0..block.buckets()).map(move |index| block.bucket(index))).collect()
    }

    /// `None` = the block has no row.
    fn block<'a>(&self, file: &'a [u8], number: u32) -> Option<Block<'a>> {
        let (start, first) = *self.directory.get(number as usize)?;
        let (end, next) = *self.directory.get(number as usize + 1)?;
        let rows = next.checked_sub(first).filter(|&rows| rows > 0)? as usize;
        // An impossible range reads as an empty block; none of its buckets passes its check.
        let section = file.get(self.rows.clone()).unwrap_or_default();
        Some(Block { number, rows, bytes: section.get(start as usize..end as usize).unwrap_or_default() })
    }
}

impl Block<'_> {
    const fn buckets(&self) -> usize {
        self.rows.div_ceil(BUCKET_ROWS)
    }

    /// The first key of the bucket at `index`, and the bucket's offset.
    fn entry(&self, index: usize) -> Option<(u16, usize)> {
        let [k0, k1, s0, s1, s2, s3] = *self.bytes.get(index * ENTRY..)?.first_chunk::<ENTRY>()?;
        Some((u16::from_le_bytes([k0, k1]), u32::from_le_bytes([s0, s1, s2, s3]) as usize))
    }

    /// The bucket at `index`, checked.
    fn bucket(&self, index: usize) -> Result<Bucket, CorruptRow> {
        let row_id = self.number << BLOCK_BITS;
        self.checked(index, row_id).ok_or_else(|| CorruptRow::near(row_id))
    }

    fn checked(&self, index: usize, row_id: u32) -> Option<Bucket> {
        let (first, start) = self.entry(index)?;
        let (next, end) = if index + 1 < self.buckets() { self.entry(index + 1)? } else { (KEYS, self.bytes.len()) };
        let rows = self.rows.checked_sub(index * BUCKET_ROWS)?.min(BUCKET_ROWS);
        let bytes = self.bytes.get(start..end)?.to_vec();
        let (stored, checked) = bytes.split_first_chunk::<CHECK>()?;
        let place = u64::from(self.number) << 48 | (index as u64) << 32 | u64::from(first) << 16 | u64::from(next);
        let mut hasher = crc32fast::Hasher::new_with_initial((place.wrapping_mul(SPREAD) >> 32) as u32);
        hasher.update(checked);
        let is_whole = hasher.finalize() == u32::from_le_bytes(*stored);
        is_whole.then_some(())?;
        Bucket::new(row_id, rows, KEY, CHECK, bytes)
    }
}
