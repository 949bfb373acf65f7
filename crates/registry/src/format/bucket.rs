//! A bucket: the rows of a small range of row ids, which a lookup checks and searches.
//!
//! `FORMAT.md` has the layout. The check covers the range too, so a bucket also proves which RUCs do not exist.

use super::{check, u32_at};

const CHECK: usize = 4;
const HEAD: usize = CHECK + 1;
pub(crate) const MAX_ROWS: usize = u8::MAX as usize;
/// As a power of two: keys take two bytes.
pub(crate) const WIDEST: u32 = 16;
/// As a power of two: keys take one byte.
const NARROW: u32 = 8;
/// The true length follows the length bytes.
const ESCAPE: u8 = 255;

pub(crate) struct NewRow<'a> {
    pub(crate) row_id: u32,
    pub(crate) record: &'a [u8],
}

/// A power of two of row ids, starting at a multiple of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) first: u32,
    pub(crate) bits: u32,
}

impl Span {
    /// The lowest set bit is the width, so ranges have distinct numbers, none 0.
    const fn number(self) -> u32 {
        self.first << 1 | 1 << self.bits
    }

    const fn key_bytes(self) -> usize {
        if self.bits <= NARROW { 1 } else { 2 }
    }
}

/// The rows ascend, at most [`MAX_ROWS`].
pub(crate) fn encode(span: Span, rows: &[NewRow<'_>], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0, 0, 0, 0, rows.len() as u8]);
    let keys = rows.iter().map(|row| row.row_id - span.first);
    if span.key_bytes() == 1 {
        out.extend(keys.map(|key| key as u8));
    } else {
        out.extend(keys.flat_map(|key| (key as u16).to_le_bytes()));
    }
    out.extend(rows.iter().map(|row| u8::try_from(row.record.len()).unwrap_or(ESCAPE)));
    for row in rows.iter().filter(|row| row.record.len() >= usize::from(ESCAPE)) {
        out.extend_from_slice(&(row.record.len() as u32).to_le_bytes());
    }
    for row in rows {
        out.extend_from_slice(row.record);
    }
    let check = check(span.number(), out.get(start + CHECK..).unwrap_or_default());
    if let Some(place) = out.get_mut(start..start + CHECK) {
        place.copy_from_slice(&check.to_le_bytes());
    }
}

/// A checked copy: the file may change between two reads.
#[derive(Debug)]
pub(crate) struct Bucket {
    first: u32,
    rows: usize,
    key_bytes: usize,
    bytes: Vec<u8>,
}

impl Bucket {
    /// `None` if the bytes have changed or are another range's.
    pub(crate) fn decode(span: Span, bytes: Vec<u8>) -> Option<Self> {
        let (stored, checked) = bytes.split_first_chunk::<CHECK>()?;
        let rows = usize::from(*checked.first()?);
        let key_bytes = span.key_bytes();
        let is_whole = check(span.number(), checked) == u32::from_le_bytes(*stored);
        let has_keys = bytes.len() >= HEAD + rows * (key_bytes + 1);
        (is_whole && has_keys).then_some(Self { first: span.first, rows, key_bytes, bytes })
    }

    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn find(&self, row_id: u32) -> Option<usize> {
        let key = row_id.checked_sub(self.first)?;
        let keys = self.bytes.get(HEAD..HEAD + self.rows * self.key_bytes)?;
        if self.key_bytes == 1 {
            let key = u8::try_from(key).ok()?;
            keys.iter().position(|&stored| stored == key)
        } else {
            let key = u16::try_from(key).ok()?.to_le_bytes();
            keys.as_chunks().0.iter().position(|stored| *stored == key)
        }
    }

    pub(crate) fn row_id(&self, place: usize) -> Option<u32> {
        let start = HEAD + place * self.key_bytes;
        let key = self.bytes.get(start..start + self.key_bytes).filter(|_| place < self.rows)?;
        Some(self.first + key.iter().rev().fold(0, |key, &byte| key << 8 | u32::from(byte)))
    }

    pub(crate) fn record(&self, place: usize) -> Option<&[u8]> {
        // True lengths, then records.
        let (lengths, rest) = self.bytes.get(HEAD + self.rows * self.key_bytes..)?.split_at_checked(self.rows)?;
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

    fn encoded(span: Span, rows: &[(u32, Vec<u8>)]) -> Vec<u8> {
        let rows: Vec<_> = rows.iter().map(|(key, record)| NewRow { row_id: span.first + key, record }).collect();
        let mut bytes = Vec::new();
        encode(span, &rows, &mut bytes);
        bytes
    }

    fn sample(bits: u32) -> (Span, Vec<(u32, Vec<u8>)>) {
        let last = (1 << bits) - 1;
        let rows = [(0, 3), (1, 255), (6, 254), (7, 1), (10, 70_000), (last - 1, 2), (last, 300)];
        let record = |length: usize, key: u32| (0..length).map(|i| (i * 7 + key as usize) as u8).collect();
        (Span { first: 5 << WIDEST, bits }, rows.map(|(key, length)| (key, record(length, key))).to_vec())
    }

    #[test]
    fn every_row_reads_back_whatever_the_width_of_keys() {
        for bits in [5, 8, 9, 16] {
            let (span, rows) = sample(bits);
            let bucket = Bucket::decode(span, encoded(span, &rows)).unwrap();
            assert_eq!(bucket.rows(), rows.len());
            for (place, (key, record)) in rows.iter().enumerate() {
                let row_id = span.first + key;
                assert_eq!((bucket.find(row_id), bucket.row_id(place)), (Some(place), Some(row_id)), "{bits} bits");
                assert_eq!(bucket.record(place).unwrap(), record);
            }
            assert_eq!((bucket.find(span.first + 2), bucket.find(span.first - 1)), (None, None));
            assert_eq!((bucket.row_id(rows.len()), bucket.record(rows.len())), (None, None));
        }
    }

    #[test]
    fn a_bucket_of_another_range_or_with_other_bytes_fails_its_check() {
        for rows in [&sample(5).1, &Vec::new()] {
            let span = sample(5).0;
            let good = encoded(span, rows);
            assert!(Bucket::decode(span, good.clone()).is_some());
            for other in [Span { bits: 6, ..span }, Span { bits: 4, ..span }, Span { first: span.first + 32, ..span }] {
                assert!(Bucket::decode(other, good.clone()).is_none(), "{other:?}");
            }
            for at in 0..good.len().min(400) {
                let mut bad = good.clone();
                bad[at] ^= 4;
                assert!(Bucket::decode(span, bad).is_none(), "byte {at}");
                assert!(Bucket::decode(span, good[..at].to_vec()).is_none(), "cut at {at}");
            }
            assert!(Bucket::decode(span, vec![0; good.len()]).is_none());
        }
    }
}
