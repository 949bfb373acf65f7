//! The companies of an import: their parts of records that the index of names needs.

use crate::format::record::{self, Parts};
use crate::format::{u32_at, varint};
use crate::row_id::is_company;

/// Companies in the order of row ids.
#[derive(Debug, Default)]
pub(crate) struct Companies {
    bytes: Vec<u8>,
    count: usize,
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
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Each company and its position.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Company<'_>)> {
        let mut position = 0;
        std::iter::from_fn(move || {
            let (company, after) = self.read(position)?;
            Some((std::mem::replace(&mut position, after), company))
        })
    }

    /// The company at this position.
    pub(super) fn at(&self, position: usize) -> Option<Company<'_>> {
        Some(self.read(position)?.0)
    }

    /// The company at this position, and where it ends.
    fn read(&self, position: usize) -> Option<(Company<'_>, usize)> {
        let row_id = u32_at(&self.bytes, position)?;
        let mut rest = self.bytes.get(position + 4..)?;
        let [status, condition, ubigeo, length] = {
            let mut number = || varint::take(&mut rest);
            [number()?, number()?, number()?, number()?]
        };
        let name = rest.get(..length as usize)?;
        let end = self.bytes.len() - rest.len() + name.len();
        Some((Company { row_id, parts: Parts { status, condition, ubigeo, name } }, end))
    }
}
