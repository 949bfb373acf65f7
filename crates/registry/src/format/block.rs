//! Blocks of up to 8,192 rows, divided into buckets of eight. A lookup searches one block and checks one bucket.
//!
//! A block begins with a table: for each bucket, its first key (`u16`) and its offset from the block's start (`u32`). A
//! row's key is its row id within the block. A bucket contains a check (`u32`), the keys of its rows (`u16`), one
//! length byte for each record, the true lengths (`u32`) of records with a length byte of 255, then the records.
//!
//! The check is the CRC-32 of the bucket's bytes, started with its number, its first key and the next bucket's. Every
//! lookup therefore detects changed bytes and a wrong table entry, and a bucket proves which RUCs it does not have.
//! A bucket has a fixed number of rows, not of row ids, so that a lookup reads equally little where RUCs are dense.

use super::u32_at;
use crate::row_id::BLOCK_BITS;

/// Rows of a bucket, except of a block's last one.
const BUCKET_ROWS: usize = 8;
/// Bytes of a bucket's entry in the table.
const ENTRY: usize = 6;
/// Bytes of a bucket's check.
const CHECK: usize = 4;
/// Bytes of a key.
const KEY: usize = 2;
/// An odd constant without pattern: 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
/// Keys of a block, and so the key past its last.
const KEYS: u16 = 1 << BLOCK_BITS;
/// The length byte for a record whose true length follows the length bytes.
const ESCAPE: u8 = 255;

/// One row to be written: its row id, its record, and flags to add to the record's first byte.
pub(crate) struct NewRow<'a> {
    pub(crate) row_id: u32,
    pub(crate) record: &'a [u8],
    pub(crate) flags: u8,
}

/// Appends a block made of `rows`, which are those of block `number`, in rising order, without repetition.
pub(crate) fn encode(number: u32, rows: &[NewRow<'_>], out: &mut Vec<u8>) {
    let block = out.len();
    out.resize(block + rows.len().div_ceil(BUCKET_ROWS) * ENTRY, 0);
    let mut rest = rows;
    let mut index = 0;
    while let Some(first) = rest.first() {
        let (here, after) = rest.split_at(rest.len().min(BUCKET_ROWS));
        let place = Place {
            block: number,
            index,
            first: key_of(first.row_id),
            next: after.first().map_or(KEYS, |row| key_of(row.row_id)),
        };
        let start = (out.len() - block) as u32;
        encode_bucket(place, here, out);
        let at = block + index * ENTRY;
        if let Some((key, offset)) = out.get_mut(at..at + ENTRY).and_then(|entry| entry.split_at_mut_checked(KEY)) {
            key.copy_from_slice(&place.first.to_le_bytes());
            offset.copy_from_slice(&start.to_le_bytes());
        }
        rest = after;
        index += 1;
    }
}

fn encode_bucket(place: Place, rows: &[NewRow<'_>], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; CHECK]);
    out.extend(rows.iter().flat_map(|row| key_of(row.row_id).to_le_bytes()));
    out.extend(rows.iter().map(|row| u8::try_from(row.record.len()).unwrap_or(ESCAPE)));
    for row in rows.iter().filter(|row| row.record.len() >= usize::from(ESCAPE)) {
        out.extend_from_slice(&(row.record.len() as u32).to_le_bytes());
    }
    for row in rows {
        let at = out.len();
        out.extend_from_slice(row.record);
        if let Some(flags) = out.get_mut(at) {
            *flags |= row.flags;
        }
    }
    let check = place.check(out.get(start + CHECK..).unwrap_or_default());
    if let Some(place) = out.get_mut(start..start + CHECK) {
        place.copy_from_slice(&check.to_le_bytes());
    }
}

/// A row's row id within its block.
const fn key_of(row_id: u32) -> u16 {
    row_id as u16 & (KEYS - 1)
}

/// The position of a bucket; part of its check.
#[derive(Clone, Copy)]
struct Place {
    block: u32,
    index: usize,
    /// Its first key.
    first: u16,
    /// The first key of the bucket after it, [`KEYS`] for the last one.
    next: u16,
}

impl Place {
    /// The CRC-32 of `bytes`, started with the place.
    fn check(self, bytes: &[u8]) -> u32 {
        // No two places are the same number: there are fewer than 2¹⁶ blocks, and at most 2¹⁰ buckets in one.
        let number = u64::from(self.block) << 48
            | (self.index as u64) << 32
            | u64::from(self.first) << 16
            | u64::from(self.next);
        let mut hasher = crc32fast::Hasher::new_with_initial((number.wrapping_mul(SPREAD) >> 32) as u32);
        hasher.update(bytes);
        hasher.finalize()
    }
}

/// A block of an open edition, not yet checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    number: u32,
    rows: usize,
    bytes: &'a [u8],
}

/// A copy of a bucket whose check matched. The file may change between two reads, so everything is read from the copy.
#[derive(Debug)]
pub(crate) struct Bucket {
    /// The first row id of its block.
    base: u32,
    rows: usize,
    /// The check, the keys, the lengths, the true lengths and the records.
    bytes: Vec<u8>,
}

impl<'a> Block<'a> {
    /// Block `number`, which has `rows` rows.
    pub(crate) const fn new(number: u32, rows: usize, bytes: &'a [u8]) -> Self {
        Self { number, rows, bytes }
    }

    /// Buckets in it.
    pub(crate) const fn buckets(&self) -> usize {
        self.rows.div_ceil(BUCKET_ROWS)
    }

    /// The bucket at `index`, checked; `None` if its bytes have changed.
    pub(crate) fn bucket(&self, index: usize) -> Option<Bucket> {
        let (first, start) = self.entry(index)?;
        let (next, end) = if index + 1 < self.buckets() { self.entry(index + 1)? } else { (KEYS, self.bytes.len()) };
        let rows = self.rows.checked_sub(index * BUCKET_ROWS)?.min(BUCKET_ROWS);
        let bytes = self.bytes.get(start..end)?.to_vec();
        let (stored, checked) = bytes.split_first_chunk::<CHECK>()?;
        let place = Place { block: self.number, index, first, next };
        let is_whole = place.check(checked) == u32::from_le_bytes(*stored) && checked.len() >= rows * (KEY + 1);
        is_whole.then_some(Bucket { base: self.number << BLOCK_BITS, rows, bytes })
    }

    /// The bucket whose range of keys includes that of `row_id`, checked. The row id must be of this block.
    pub(crate) fn bucket_of(&self, row_id: u32) -> Option<Bucket> {
        let key = key_of(row_id);
        // Rows are spread evenly, so a proportional guess is wrong by a few entries, mostly on the same cache line.
        let mut index = (usize::from(key) * self.buckets()) >> BLOCK_BITS;
        while index > 0 && self.entry(index)?.0 > key {
            index -= 1;
        }
        while index + 1 < self.buckets() && self.entry(index + 1)?.0 <= key {
            index += 1;
        }
        self.bucket(index)
    }

    /// The bucket with the block's row number `rank`, and the row's position in it.
    pub(crate) fn bucket_of_rank(&self, rank: usize) -> Option<(Bucket, usize)> {
        Some((self.bucket(rank / BUCKET_ROWS)?, rank % BUCKET_ROWS))
    }

    /// The first key of the bucket at `index`, and the bucket's offset.
    fn entry(&self, index: usize) -> Option<(u16, usize)> {
        let at = index * ENTRY;
        let [k0, k1, s0, s1, s2, s3] = *self.bytes.get(at..)?.first_chunk::<ENTRY>()?;
        Some((u16::from_le_bytes([k0, k1]), u32::from_le_bytes([s0, s1, s2, s3]) as usize))
    }
}

impl Bucket {
    /// Rows in it.
    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// The keys of its rows.
    fn keys(&self) -> &[[u8; KEY]] {
        self.bytes.get(CHECK..CHECK + self.rows * KEY).unwrap_or_default().as_chunks().0
    }

    /// The position of a row id of this block; `None` = it is not in the bucket.
    pub(crate) fn find(&self, row_id: u32) -> Option<usize> {
        let key = key_of(row_id).to_le_bytes();
        self.keys().iter().position(|stored| *stored == key)
    }

    /// The row id of the row at `place`.
    pub(crate) fn row_id(&self, place: usize) -> Option<u32> {
        self.keys().get(place).map(|&key| self.base + u32::from(u16::from_le_bytes(key)))
    }

    /// The record at `place`.
    pub(crate) fn record(&self, place: usize) -> Option<&[u8]> {
        // The rest: true lengths, then records.
        let (lengths, rest) = self.bytes.get(CHECK + self.rows * KEY..)?.split_at_checked(self.rows)?;
        let mut start: usize = lengths.get(..place)?.iter().map(|&length| usize::from(length)).sum();
        let mut length = usize::from(*lengths.get(place)?);
        // Long rows are rare: usually the start is a plain sum.
        if memchr::memchr(ESCAPE, lengths).is_some() {
            for (nth, at) in memchr::memchr_iter(ESCAPE, lengths).enumerate() {
                let long = u32_at(rest, nth * 4)? as usize;
                start += 4;
                if at < place {
                    start = start.checked_add(long)?.checked_sub(usize::from(ESCAPE))?;
                } else if at == place {
                    length = long;
                }
            }
        }
        rest.get(start..start.checked_add(length)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Vec<(u32, Vec<u8>)>, Vec<u8>) {
        let number = 40_000_u32;
        let first = number << BLOCK_BITS;
        let rows: Vec<(u32, Vec<u8>)> = [(0, 3), (1, 255), (127, 254), (128, 1), (129, 70_000), (130, 2)]
            .into_iter()
            .chain((7000..7100).step_by(7).map(|row_id| (row_id, 20)))
            .chain([(8000, 300), (8191, 9)])
            .map(|(row_id, length)| (first + row_id, (0..length).map(|i| (i * 7 + row_id as usize) as u8).collect()))
            .collect();
        let new: Vec<_> = rows.iter().map(|(row_id, record)| NewRow { row_id: *row_id, record, flags: 0 }).collect();
        let mut bytes = Vec::new();
        encode(number, &new, &mut bytes);
        (rows, bytes)
    }

    #[test]
    fn every_row_reads_back_by_row_id_and_by_rank() {
        let (rows, bytes) = sample();
        let block = Block::new(40_000, rows.len(), &bytes);
        for (rank, (row_id, record)) in rows.iter().enumerate() {
            let bucket = block.bucket_of(*row_id).unwrap();
            assert_eq!(bucket.record(bucket.find(*row_id).unwrap()).unwrap(), record);
            let (bucket, place) = block.bucket_of_rank(rank).unwrap();
            assert_eq!(bucket.row_id(place), Some(*row_id));
        }
        for absent in [2, 131, 4000, 7999, 8190] {
            let row_id = (40_000 << BLOCK_BITS) + absent;
            assert_eq!(block.bucket_of(row_id).unwrap().find(row_id), None);
        }
        assert_eq!(block.bucket(0).unwrap().rows(), BUCKET_ROWS);
        assert_eq!(block.buckets(), rows.len().div_ceil(BUCKET_ROWS));
    }

    #[test]
    fn a_bucket_at_another_place_fails_its_check() {
        let (rows, bytes) = sample();
        assert!(Block::new(40_001, rows.len(), &bytes).bucket(0).is_none());
        // The table's second entry over its first, then another first key in the second.
        for (from, to) in [(ENTRY..2 * ENTRY, 0), (0..KEY, ENTRY)] {
            let mut bad = bytes.clone();
            bad.copy_within(from, to);
            assert!(Block::new(40_000, rows.len(), &bad).bucket(0).is_none());
        }
    }

    #[test]
    fn flags_are_added_to_the_first_byte() {
        let mut bytes = Vec::new();
        encode(0, &[NewRow { row_id: 9, record: &[4, 0x11], flags: 3 }], &mut bytes);
        let bucket = Block::new(0, 1, &bytes).bucket(0).unwrap();
        assert_eq!(bucket.record(0), Some([7, 0x11].as_slice()));
    }
}
