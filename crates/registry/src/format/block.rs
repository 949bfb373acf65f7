//! Blocks of 64 buckets of up to 128 rows: the unit that is searched, and the unit that is checked.
//!
//! A block holds where each of its buckets ends (64 `u32`, from the block's start) and how many rows there are up to
//! its end (64 `u16`), then the buckets. A bucket holds a check (`u32`), one byte of key and one byte of record
//! length per row, the true lengths (`u32`) of the rows whose length byte is 255, then the records.
//!
//! The check is the CRC-32 of all its bytes, begun with the bucket's number, its rows before and its row count. So every
//! look-up notices bytes that changed, and a table entry that leads to another bucket, and an empty bucket proves that
//! it is empty.

use super::u32_at;
use crate::slot::{BLOCK_BITS, BUCKET_BITS, BUCKETS};

/// Bytes of the two tables.
const TABLES: usize = BUCKETS * 6;
/// Bytes of a bucket's check.
const CHECK: usize = 4;
/// Rows of a bucket at most.
const BUCKET_ROWS: usize = 1 << BUCKET_BITS;
/// An odd constant without pattern: 2³² divided by the golden ratio.
const SPREAD: u32 = 0x9e37_79b1;
/// The length byte that says the true length stands elsewhere.
const ESCAPE: u8 = 255;

/// One row to be written: its slot, its record, and flags to add to the record's first byte.
pub(crate) struct NewRow<'a> {
    pub(crate) slot: u32,
    pub(crate) record: &'a [u8],
    pub(crate) flags: u8,
}

/// Appends a block made of `rows`, which are those of block `number`, in rising order, without repetition.
pub(crate) fn encode(number: u32, rows: &[NewRow<'_>], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + TABLES, 0);
    let mut ends = [0_u32; BUCKETS];
    let mut counts = [0_u16; BUCKETS];
    let mut done = 0;
    let first = number << (BLOCK_BITS - BUCKET_BITS);
    for (bucket, (end, count)) in (first..).zip(ends.iter_mut().zip(counts.iter_mut())) {
        let rest = rows.get(done..).unwrap_or_default();
        let here = rest.get(..rest.partition_point(|row| row.slot >> BUCKET_BITS == bucket)).unwrap_or_default();
        encode_bucket(bucket, done, here, out);
        done += here.len();
        *end = (out.len() - start) as u32;
        *count = done as u16;
    }
    if let Some(tables) = out.get_mut(start..start + TABLES) {
        let (ends_table, counts_table) = tables.split_at_mut(BUCKETS * 4);
        for (place, end) in ends_table.chunks_exact_mut(4).zip(ends) {
            place.copy_from_slice(&end.to_le_bytes());
        }
        for (place, count) in counts_table.chunks_exact_mut(2).zip(counts) {
            place.copy_from_slice(&count.to_le_bytes());
        }
    }
}

fn encode_bucket(bucket: u32, before: usize, rows: &[NewRow<'_>], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; CHECK]);
    out.extend(rows.iter().map(|row| row.slot as u8 & (BUCKET_ROWS - 1) as u8));
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
    let check = check(bucket, before as u16, rows.len() as u16, out.get(start + CHECK..).unwrap_or_default());
    if let Some(place) = out.get_mut(start..start + CHECK) {
        place.copy_from_slice(&check.to_le_bytes());
    }
}

/// Begins with what the bytes belong to; no two buckets, and no two places of one bucket, begin alike.
fn check(bucket: u32, before: u16, rows: u16, bytes: &[u8]) -> u32 {
    let place = bucket.wrapping_mul(SPREAD) ^ (u32::from(before) << 16 | u32::from(rows));
    let mut hasher = crc32fast::Hasher::new_with_initial(place);
    hasher.update(bytes);
    hasher.finalize()
}

/// A block of an open edition, not yet checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    number: u32,
    bytes: &'a [u8],
}

/// A bucket whose check matched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket<'a> {
    /// Its first slot.
    first: u32,
    /// Rows of the block before it.
    before: u16,
    keys: &'a [u8],
    lengths: &'a [u8],
    /// True lengths, then records.
    rest: &'a [u8],
}

impl<'a> Block<'a> {
    pub(crate) const fn new(number: u32, bytes: &'a [u8]) -> Self {
        Self { number, bytes }
    }

    /// The bucket at `index`, checked; `None` if its bytes are not what was written.
    pub(crate) fn bucket(&self, index: usize) -> Option<Bucket<'a>> {
        let (start, before) = match index.checked_sub(1) {
            None => (TABLES, 0),
            Some(previous) => (self.end(previous)?, self.rows_up_to(previous)?),
        };
        let rows = self.rows_up_to(index)?.checked_sub(before)?;
        let (stored, bytes) = self.bytes.get(start..self.end(index)?)?.split_first_chunk::<CHECK>()?;
        let number = (self.number << (BLOCK_BITS - BUCKET_BITS)) + index as u32;
        if check(number, before, rows, bytes) != u32::from_le_bytes(*stored) {
            return None;
        }
        let (keys, bytes) = bytes.split_at_checked(usize::from(rows))?;
        let (lengths, rest) = bytes.split_at_checked(usize::from(rows))?;
        Some(Bucket { first: number << BUCKET_BITS, before, keys, lengths, rest })
    }

    /// The bucket that holds the block's row number `rank`, and the row's place in it.
    pub(crate) fn bucket_of_rank(&self, rank: u16) -> Option<(Bucket<'a>, usize)> {
        let (mut low, mut high) = (0, BUCKETS);
        while low < high {
            let middle = (low + high) / 2;
            if self.rows_up_to(middle)? > rank {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let bucket = self.bucket(low)?;
        Some((bucket, usize::from(rank.checked_sub(bucket.before)?)))
    }

    fn end(&self, index: usize) -> Option<usize> {
        u32_at(self.bytes, index * 4).map(|end| end as usize)
    }

    fn rows_up_to(&self, index: usize) -> Option<u16> {
        let at = BUCKETS * 4 + index * 2;
        Some(u16::from_le_bytes(self.bytes.get(at..at + 2)?.try_into().ok()?))
    }
}

impl<'a> Bucket<'a> {
    /// Rows in it.
    pub(crate) const fn rows(&self) -> usize {
        self.keys.len()
    }

    /// The place of a slot of this bucket; `None` = it is not there.
    pub(crate) fn find(&self, slot: u32) -> Option<usize> {
        memchr::memchr((slot - self.first.min(slot)) as u8, self.keys)
    }

    /// The slot of the row at `place`.
    pub(crate) fn slot(&self, place: usize) -> Option<u32> {
        self.keys.get(place).map(|&key| self.first + u32::from(key))
    }

    /// The record at `place`.
    pub(crate) fn record(&self, place: usize) -> Option<&'a [u8]> {
        let mut start: usize = self.lengths.get(..place)?.iter().map(|&length| usize::from(length)).sum();
        let mut length = usize::from(*self.lengths.get(place)?);
        // Long rows are rare: the common way is a plain sum.
        if memchr::memchr(ESCAPE, self.lengths).is_some() {
            for (nth, at) in memchr::memchr_iter(ESCAPE, self.lengths).enumerate() {
                let long = u32_at(self.rest, nth * 4)? as usize;
                start += 4;
                if at < place {
                    start = start.checked_add(long)?.checked_sub(usize::from(ESCAPE))?;
                } else if at == place {
                    length = long;
                }
            }
        }
        self.rest.get(start..start.checked_add(length)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Vec<(u32, Vec<u8>)>, Vec<u8>) {
        let number = 40_000_u32;
        let first = number << BLOCK_BITS;
        let rows: Vec<(u32, Vec<u8>)> = [(0, 3), (1, 255), (127, 254), (128, 1), (129, 70_000), (130, 2), (8191, 9)]
            .into_iter()
            .map(|(slot, length)| (first + slot, (0..length).map(|i| (i * 7 + slot as usize) as u8).collect()))
            .collect();
        let new: Vec<_> = rows.iter().map(|(slot, record)| NewRow { slot: *slot, record, flags: 0 }).collect();
        let mut bytes = Vec::new();
        encode(number, &new, &mut bytes);
        (rows, bytes)
    }

    #[test]
    fn every_row_reads_back_by_slot_and_by_rank() {
        let (rows, bytes) = sample();
        let block = Block::new(40_000, &bytes);
        for (rank, (slot, record)) in rows.iter().enumerate() {
            let bucket = block.bucket((slot >> BUCKET_BITS) as usize % BUCKETS).unwrap();
            assert_eq!(bucket.record(bucket.find(*slot).unwrap()).unwrap(), record);
            let (bucket, place) = block.bucket_of_rank(rank as u16).unwrap();
            assert_eq!(bucket.slot(place), Some(*slot));
        }
        assert_eq!(block.bucket(0).unwrap().find((40_000 << BLOCK_BITS) + 5), None);
        assert_eq!(block.bucket(5).unwrap().rows(), 0);
    }

    #[test]
    fn a_block_read_under_another_number_is_damaged() {
        let (_, bytes) = sample();
        assert!(Block::new(40_001, &bytes).bucket(0).is_none());
        assert!(Block::new(40_001, &bytes).bucket(5).is_none());
    }

    #[test]
    fn flags_are_added_to_the_first_byte() {
        let mut bytes = Vec::new();
        encode(0, &[NewRow { slot: 9, record: &[4, 0x11], flags: 3 }], &mut bytes);
        let bucket = Block::new(0, &bytes).bucket(0).unwrap();
        assert_eq!(bucket.record(0), Some([7, 0x11].as_slice()));
    }
}
