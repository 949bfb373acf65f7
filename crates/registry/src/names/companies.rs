//! What the index of names needs of an import's companies.

use crate::format::record::{self, Parts};
use crate::format::varint;
use crate::row_id::is_company;

/// In the order of row ids.
#[derive(Debug, Default)]
pub(crate) struct Companies {
    bytes: Vec<u8>,
    count: usize,
}

pub(super) struct Company<'a> {
    pub(super) row_id: u32,
    pub(super) parts: Parts<'a>,
}

impl Companies {
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

    /// Appends the companies of `other`, whose row ids are higher.
    pub(crate) fn append(&mut self, other: &Self) {
        self.bytes.extend_from_slice(&other.bytes);
        self.count += other.count;
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Company<'_>> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            let (row_id, after) = rest.split_first_chunk()?;
            rest = after;
            let mut number = || varint::take(&mut rest);
            let [status, condition, ubigeo, length] = [number()?, number()?, number()?, number()?];
            let (name, after) = rest.split_at_checked(length as usize)?;
            rest = after;
            Some(Company { row_id: u32::from_le_bytes(*row_id), parts: Parts { status, condition, ubigeo, name } })
        })
    }
}
