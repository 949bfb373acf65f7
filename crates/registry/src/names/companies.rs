//! The companies of an import, as far as the index of names needs them: collected while their records are written.

use std::ops::Range;

use crate::format::record::{self, Parts};
use crate::format::{u32_at, varint};
use crate::row_id::is_company;

/// The companies of some records, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Companies {
    bytes: Vec<u8>,
    count: usize,
    /// Where parts that were appended end, and the companies up to there.
    ends: Vec<(usize, usize)>,
}

/// About half of the companies.
pub(super) struct Half {
    bytes: Range<usize>,
    pub(super) count: usize,
}

/// A company.
pub(super) struct Company<'a> {
    pub(super) row_id: u32,
    pub(super) parts: Parts<'a>,
}

impl Companies {
    /// Adds a row, if it is a company's.
    pub(crate) fn push(&mut self, row_id: u32, record: &[u8]) {
        let Some(Parts { status, condition, ubigeo, name }) = record::parts(record).filter(|_| is_company(row_id))
        else {
            return;
        };
        self.bytes.extend_from_slice(&row_id.to_le_bytes());
        for number in [status, condition, ubigeo, name.len() as u32] {
            varint::push(&mut self.bytes, number);
        }
        self.bytes.extend_from_slice(name);
        self.count += 1;
    }

    /// Adds those of `other`, which come later in the order of row ids.
    pub(crate) fn append(&mut self, other: &Self) {
        self.bytes.extend_from_slice(&other.bytes);
        self.count += other.count;
        self.ends.push((self.bytes.len(), self.count));
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Two parts of about the same length.
    pub(super) fn halves(&self) -> [Half; 2] {
        let middle = self.ends.partition_point(|(bytes, _)| *bytes < self.bytes.len() / 2);
        let (bytes, count) = self.ends.get(middle).copied().unwrap_or_default();
        [Half { bytes: 0..bytes, count }, Half { bytes: bytes..self.bytes.len(), count: self.count - count }]
    }

    /// Each company of a half, and where it is.
    pub(super) fn iter(
        &self,
        Half { bytes: Range { start, end }, .. }: Half,
    ) -> impl Iterator<Item = (usize, Company<'_>)> {
        let mut at = start;
        std::iter::from_fn(move || {
            let (company, after) = self.read(at).filter(|_| at < end)?;
            Some((std::mem::replace(&mut at, after), company))
        })
    }

    /// The company at this place.
    pub(super) fn at(&self, place: usize) -> Option<Company<'_>> {
        Some(self.read(place)?.0)
    }

    /// The company at this place, and where it ends.
    fn read(&self, place: usize) -> Option<(Company<'_>, usize)> {
        let row_id = u32_at(&self.bytes, place)?;
        let mut rest = self.bytes.get(place + 4..)?;
        let [status, condition, ubigeo, length] = {
            let mut number = || varint::take(&mut rest);
            [number()?, number()?, number()?, number()?]
        };
        let name = rest.get(..length as usize)?;
        let end = self.bytes.len() - rest.len() + name.len();
        Some((Company { row_id, parts: Parts { status, condition, ubigeo, name } }, end))
    }
}
