//! The rows of an edition as buckets, found by row id with one memory access before the bucket's own.
//!
//! A *group* is 65,536 row ids in a power of two of equal buckets: more where rows are dense, none without rows.
//! `FORMAT.md` describes the sections. An open edition keeps a checked copy of `dir`, so that damage cannot change which
//! bucket is read, and the length of the longest bucket, so that a damaged offset causes no longer copy.

use std::hint::black_box;
use std::ops::Range;

use super::bucket::{self, Bucket, MAX_ROWS, NewRow, Span, WIDEST};
use super::{CorruptRowError, u32_at};
use crate::row_id::ROW_IDS;

pub(crate) const GROUP_BITS: u32 = WIDEST;
pub(crate) const GROUPS: u32 = ROW_IDS.div_ceil(1 << GROUP_BITS);
/// Rows that an average lookup may read: fewer would need more buckets.
const ROWS_READ: usize = 14;

const CACHE_LINE: usize = 64;

/// A hundred times the longest of a published file.
pub(crate) const MAX_BUCKET_BYTES: usize = 16 << 20;

/// Appends the buckets of a group, and their lengths; `rows` ascend.
pub(crate) fn encode(number: u32, rows: &[NewRow<'_>], out: &mut Vec<u8>, lengths: &mut Vec<u32>) {
    if rows.is_empty() {
        return;
    }
    let bits = GROUP_BITS - buckets_for(rows).trailing_zeros();
    let mut rest = rows;
    for index in 0..1 << (GROUP_BITS - bits) {
        let span = Span { first: number << GROUP_BITS | index << bits, bits };
        let (here, after) =
            rest.split_at(rest.iter().take_while(|row| row.row_id >> bits == span.first >> bits).count());
        let start = out.len();
        bucket::encode(span, here, out);
        lengths.push((out.len() - start) as u32);
        rest = after;
    }
}

/// Enough buckets for an average lookup to read few rows, but not more than rows.
fn buckets_for(rows: &[NewRow<'_>]) -> u32 {
    let mut bits = GROUP_BITS - (rows.len() / ROWS_READ).next_power_of_two().trailing_zeros();
    while bits > 0 {
        let (mut read, mut most) = (0, 0);
        for here in rows.chunk_by(|a, b| a.row_id >> bits == b.row_id >> bits).map(<[_]>::len) {
            // Each is looked up as often as any other row.
            read += here * here;
            most = most.max(here);
        }
        let is_narrow = read <= ROWS_READ * rows.len() || 1 << (GROUP_BITS - bits + 1) > rows.len();
        if is_narrow && most <= MAX_ROWS {
            break;
        }
        bits -= 1;
    }
    1 << (GROUP_BITS - bits)
}

#[derive(Debug)]
pub(crate) struct Groups {
    /// Each group's first bucket, then the number of all buckets.
    firsts: Box<[u32]>,
    offsets: Range<usize>,
    rows: Range<usize>,
    longest: usize,
}

/// `None` if the buckets do not fill `rows` bytes in order, or one exceeds [`MAX_BUCKET_BYTES`].
pub(crate) fn longest_bucket(offsets: &[u8], rows: usize) -> Option<usize> {
    let (offsets, rest) = offsets.as_chunks();
    let mut offsets = offsets.iter().map(|offset| u32::from_le_bytes(*offset) as usize);
    let mut start = offsets.next().filter(|&first| first == 0 && rest.is_empty())?;
    let mut longest = 0;
    for end in offsets {
        // No bucket is empty: each has a check.
        longest = end.checked_sub(start).filter(|&length| length > 0)?.max(longest);
        start = end;
    }
    (start == rows && longest <= MAX_BUCKET_BYTES).then_some(longest)
}

impl Groups {
    /// `None` if the sections disagree with each other.
    pub(crate) fn decode(directory: &[u8], offsets: Range<usize>, rows: Range<usize>, longest: usize) -> Option<Self> {
        let (numbers, rest) = directory.as_chunks();
        let firsts: Box<[u32]> = numbers.iter().map(|number| u32::from_le_bytes(*number)).collect();
        let buckets = *firsts.last().filter(|_| rest.is_empty())?;
        let is_power = |(a, b): (&u32, &u32)| {
            b.checked_sub(*a).is_some_and(|count| count == 0 || count.is_power_of_two() && count <= 1 << GROUP_BITS)
        };
        let is_directory = firsts.len() == GROUPS as usize + 1
            && firsts.first() == Some(&0)
            && firsts.iter().zip(firsts.iter().skip(1)).all(is_power);
        let has_offsets = offsets.len() as u64 == (u64::from(buckets) + 1) * 4;
        (is_directory && has_offsets).then_some(Self { firsts, offsets, rows, longest })
    }

    /// The bucket of `row_id`; `None` = its group has no rows.
    pub(crate) fn bucket_of(&self, file: &[u8], row_id: u32) -> Result<Option<Bucket>, CorruptRowError> {
        let group = row_id >> GROUP_BITS;
        let Some((first, buckets, index)) = self.index_of(row_id) else { return Ok(None) };
        self.bucket(file, group, first, buckets, index).map(Some).ok_or(CorruptRowError { group })
    }

    /// Every `step`th bucket, in the order of row ids.
    pub(crate) fn buckets<'a>(
        &'a self,
        file: &'a [u8],
        step: usize,
    ) -> impl Iterator<Item = Result<Bucket, CorruptRowError>> + 'a {
        let numbers = (0..self.firsts.last().copied().unwrap_or_default()).step_by(step);
        numbers.map(move |number| self.numbered(file, number))
    }

    pub(crate) fn buckets_in(&self, group: u32) -> u32 {
        self.group(group).map_or(0, |(_, buckets)| buckets)
    }

    fn offset(&self, file: &[u8], number: u32) -> Option<usize> {
        Some(u32_at(file.get(self.offsets.clone())?, number as usize * 4)? as usize)
    }

    pub(crate) fn group_buckets(&self, file: &[u8], group: u32) -> Result<Vec<Bucket>, CorruptRowError> {
        (0..self.buckets_in(group)).map(|index| self.bucket_in(file, group, index)).collect()
    }

    pub(crate) fn bucket_in(&self, file: &[u8], group: u32, index: u32) -> Result<Bucket, CorruptRowError> {
        let read = || {
            let (first, buckets) = self.group(group)?;
            self.bucket(file, group, first, buckets, index)
        };
        read().ok_or(CorruptRowError { group })
    }

    /// Unchecked.
    pub(crate) fn bytes_in<'a>(&self, file: &'a [u8], group: u32, index: u32) -> Option<&'a [u8]> {
        self.bytes(file, self.group(group)?.0 + index)
    }

    /// First bucket and number of buckets; `None` = none.
    fn group(&self, group: u32) -> Option<(u32, u32)> {
        let (first, next) = (*self.firsts.get(group as usize)?, *self.firsts.get(group as usize + 1)?);
        Some((first, next.checked_sub(first).filter(|&buckets| buckets > 0)?))
    }

    /// The group's first bucket, number of buckets, and index of the row id's; `None` = no rows.
    fn index_of(&self, row_id: u32) -> Option<(u32, u32, u32)> {
        let (first, buckets) = self.group(row_id >> GROUP_BITS)?;
        Some((first, buckets, ((row_id & ((1 << GROUP_BITS) - 1)) * buckets) >> GROUP_BITS))
    }

    fn numbered(&self, file: &[u8], number: u32) -> Result<Bucket, CorruptRowError> {
        let group = self.firsts.partition_point(|&first| first <= number).saturating_sub(1) as u32;
        let first = self.group(group).map_or(0, |(first, _)| first);
        self.bucket_in(file, group, number.saturating_sub(first))
    }

    /// Checked; `None` if its bytes or offsets have changed.
    fn bucket(&self, file: &[u8], group: u32, first: u32, buckets: u32, index: u32) -> Option<Bucket> {
        let bits = GROUP_BITS - buckets.trailing_zeros();
        let bytes = self.bytes(file, first + index)?.to_vec();
        Bucket::decode(Span { first: group << GROUP_BITS | index << bits, bits }, bytes)
    }

    /// Unchecked; `None` if its offsets are impossible.
    fn bytes<'a>(&self, file: &'a [u8], number: u32) -> Option<&'a [u8]> {
        let offsets = file.get(self.offsets.clone())?.get(number as usize * 4..)?;
        let (start, end) = (u32_at(offsets, 0)? as usize, u32_at(offsets, 4)? as usize);
        end.checked_sub(start).filter(|&length| length <= self.longest)?;
        file.get(self.rows.clone())?.get(start..end)
    }

    /// Brings the buckets of these row ids into the processor's caches. The reads do not wait for each other, so
    /// together they take little longer than one.
    pub(crate) fn fetch(&self, file: &[u8], row_ids: impl Iterator<Item = u32> + Clone) {
        let numbers = row_ids.filter_map(|row_id| self.index_of(row_id).map(|(first, _, index)| first + index));
        let offsets = numbers.clone().filter_map(|number| self.offset(file, number));
        black_box(offsets.fold(0, |seen, offset| seen ^ offset));
        let buckets = numbers.filter_map(|number| self.bytes(file, number));
        let lines = buckets.flat_map(|bytes| bytes.iter().step_by(CACHE_LINE).chain(bytes.last()));
        black_box(lines.fold(0, |seen, byte| seen ^ byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buckets(row_ids: impl IntoIterator<Item = u32>) -> u32 {
        let rows: Vec<_> = row_ids.into_iter().map(|row_id| NewRow { row_id, record: &[0, 0] }).collect();
        buckets_for(&rows)
    }

    #[test]
    fn the_denser_the_rows_the_narrower_the_buckets() {
        assert_eq!(buckets([7]), 1);
        assert_eq!(buckets((0..65_536).step_by(3_000)), 2);
        assert_eq!(buckets((0..65_536).step_by(5)), 1_024);
        assert_eq!(buckets(0..65_536), 8_192);
    }

    #[test]
    fn rows_in_one_place_do_not_make_more_buckets_than_rows() {
        assert_eq!(buckets(3_000..4_000), 512);
        assert_eq!(buckets(256..512), 512, "more than 255 rows do not fit into one bucket");
    }

    fn indexed(row_ids: impl IntoIterator<Item = u32>) -> (Vec<u8>, Groups) {
        let rows: Vec<_> = row_ids.into_iter().map(|row_id| NewRow { row_id, record: &[0, 0] }).collect();
        let (mut file, mut lengths) = (Vec::new(), Vec::new());
        encode(0, &rows, &mut file, &mut lengths);
        let section = 0..file.len();
        let mut end = 0;
        file.extend(0_u32.to_le_bytes());
        for length in &lengths {
            end += length;
            file.extend(end.to_le_bytes());
        }
        let offsets = section.end..file.len();
        let buckets = lengths.len() as u32;
        let directory: Vec<u8> =
            (0..=GROUPS).flat_map(|group| if group == 0 { 0 } else { buckets }.to_le_bytes()).collect();
        let longest = longest_bucket(&file[offsets.clone()], section.len()).unwrap();
        let groups = Groups::decode(&directory, offsets, section, longest).unwrap();
        (file, groups)
    }

    #[test]
    fn a_damaged_offset_is_an_error_without_a_long_copy() {
        let (mut file, groups) = indexed((0..65_536).step_by(5));
        assert_eq!(groups.group(0), Some((0, 1_024)));
        let longest = (0..1_024).map(|number| groups.bytes(&file, number).unwrap().len()).max();
        assert_eq!(longest, Some(groups.longest));
        for bit in 0..32 {
            let at = groups.offsets.start + 500 * 4 + bit / 8;
            file[at] ^= 1 << (bit % 8);
            // The bucket that ends at the offset, and the one that begins there.
            for number in [499, 500] {
                let copied = groups.bytes(&file, number).map_or(0, <[u8]>::len);
                assert!(copied <= groups.longest, "bit {bit}: {copied} bytes");
                assert!(groups.bucket_of(&file, number * 64).is_err(), "bit {bit}");
            }
            file[at] ^= 1 << (bit % 8);
        }
        assert!(groups.bucket_of(&file, 500 * 64).is_ok());
    }

    #[test]
    fn offsets_that_do_not_rise_from_0_to_the_end_are_refused() {
        let longest = |offsets: &[u32], rows| {
            longest_bucket(&offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect::<Vec<_>>(), rows)
        };
        assert_eq!((longest(&[0], 0), longest(&[0, 5, 20, 30], 30)), (Some(0), Some(15)));
        for offsets in [&[][..], &[1, 30], &[0], &[0, 29], &[0, 31], &[0, 20, 10, 30], &[0, 20, 20, 30]] {
            assert_eq!(longest(offsets, 30), None, "{offsets:?}");
        }
        assert_eq!(longest_bucket(&[0; 5], 0), None, "one byte is too many");
        let most = MAX_BUCKET_BYTES as u32;
        assert_eq!(longest(&[0, most], MAX_BUCKET_BYTES), Some(MAX_BUCKET_BYTES));
        assert_eq!(longest(&[0, most + 1], MAX_BUCKET_BYTES + 1), None);
    }
}
