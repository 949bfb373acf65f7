//! Keeps rows by range of row ids until the file is read. A partition is sorted just before it is written and then
//! freed, so peak memory is little more than the rows.

use std::io;

use memmap2::MmapMut;

use crate::format::groups::GROUP_BITS;
use crate::row_id::ROW_IDS;

/// As a power of two: 16 groups.
pub(crate) const PARTITION_BITS: u32 = 20;
pub(crate) const PARTITIONS: u32 = ROW_IDS.div_ceil(1 << PARTITION_BITS);
pub(crate) const PARTITION_GROUPS: u32 = 1 << (PARTITION_BITS - GROUP_BITS);

/// As a power of two; only written parts cost memory.
const PAGE_BITS: u32 = 20;
const PAGE: usize = 1 << PAGE_BITS;
/// The length field of longer records; a `u32` with the length follows.
const LONG: u32 = 0xfff;
const ROW_ID_MASK: u32 = (1 << PARTITION_BITS) - 1;

/// Rows of one range of row ids, in the file's order.
#[derive(Debug, Default)]
pub(crate) struct Partition {
    pages: Vec<MmapMut>,
    used: usize,
    rows: usize,
}

pub(super) fn empty() -> Vec<Partition> {
    (0..PARTITIONS).map(|_| Partition::default()).collect()
}

impl Partition {
    /// A record is far shorter than a page.
    pub(crate) fn push(&mut self, row_id: u32, record: &[u8]) -> io::Result<()> {
        let length = record.len();
        let is_long = length >= LONG as usize;
        let header = if is_long { 8 } else { 4 };
        if self.pages.is_empty() || self.used + header + length > PAGE {
            self.pages.push(MmapMut::map_anon(PAGE)?);
            self.used = 0;
        }
        let place = self.pages.last_mut().and_then(|page| page.get_mut(self.used..self.used + header + length));
        let Some((start, body)) = place.and_then(|place| place.split_at_mut_checked(header)) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a record is longer than a page"));
        };
        body.copy_from_slice(record);
        let head = (row_id & ROW_ID_MASK) | if is_long { LONG } else { length as u32 } << PARTITION_BITS;
        let (first, second) = start.split_at_mut(4);
        first.copy_from_slice(&head.to_le_bytes());
        if is_long {
            second.copy_from_slice(&(length as u32).to_le_bytes());
        }
        self.used += header + length;
        self.rows += 1;
        Ok(())
    }

    /// The rows by row id, then in the file's order.
    pub(crate) fn sorted(&self) -> Vec<RecordPosition> {
        let mut places = Vec::with_capacity(self.rows);
        for (number, page) in (0_u32..).zip(&self.pages) {
            let mut at = 0;
            // The unused end of a page reads as length zero, which no record has.
            while let Some((row_id, _, end)) = entry(page, at).filter(|&(_, start, end)| start < end) {
                places.push(RecordPosition::new(row_id, number << PAGE_BITS | at as u32));
                at = end;
            }
        }
        places.sort_unstable();
        places
    }

    pub(crate) fn record(&self, place: RecordPosition) -> Option<&[u8]> {
        let at = place.at();
        let page = self.pages.get((at >> PAGE_BITS) as usize)?;
        let (_, start, end) = entry(page, at as usize & (PAGE - 1))?;
        page.get(start..end)
    }
}

/// Row id within the partition, and place of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RecordPosition(u64);

impl RecordPosition {
    fn new(row_id: u32, at: u32) -> Self {
        Self(u64::from(row_id) << 32 | u64::from(at))
    }

    pub(crate) const fn row_id(self) -> u32 {
        (self.0 >> 32) as u32
    }

    const fn at(self) -> u32 {
        self.0 as u32
    }
}

/// Row id, and where the record starts and ends.
fn entry(page: &[u8], at: usize) -> Option<(u32, usize, usize)> {
    let head = crate::format::u32_at(page, at)?;
    let (row_id, inline) = (head & ROW_ID_MASK, head >> PARTITION_BITS);
    let (start, length) =
        if inline == LONG { (at + 8, crate::format::u32_at(page, at + 4)?) } else { (at + 4, inline) };
    Some((row_id, start, start.checked_add(length as usize)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_equal_row_ids_keep_their_order() {
        let mut partition = Partition::default();
        let base = 5 << PARTITION_BITS;
        let mut expected = Vec::new();
        for i in 0..40_000_u32 {
            let row_id = i.wrapping_mul(2_654_435_761) % 20_000;
            let record = vec![i as u8; 3 + (i as usize % 40) + if i % 5000 == 0 { 200_000 } else { 0 }];
            partition.push(base + row_id, &record).unwrap();
            expected.push((row_id, record));
        }
        expected.sort_by_key(|(row_id, _)| *row_id);
        let places = partition.sorted();
        assert_eq!(places.len(), expected.len());
        for (place, (row_id, record)) in places.into_iter().zip(expected) {
            assert_eq!(place.row_id(), row_id);
            assert_eq!(partition.record(place).unwrap(), record);
        }
    }
}
