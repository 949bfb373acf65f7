//! The header of a file of blocks, and the entries of its index.

use super::error::BlockError;
use crate::format::{u32_at, u64_at};

/// A reader refuses any other version.
pub(super) const FORMAT: u32 = 4;
pub(super) const MAX_FACTS_BYTES: usize = 16 << 20;
pub(super) const MAX_VALUE_BYTES: usize = 16 << 20;
/// Inflated or not: a value, and those before it.
pub(super) const MAX_BLOCK_BYTES: usize = MAX_VALUE_BYTES + (64 << 10);

#[derive(Clone, Copy, Debug)]
pub(crate) struct FileKind {
    pub(crate) magic: [u8; 8],
    pub(crate) name: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) file_length: u64,
    pub(super) index_length: u32,
    pub(super) facts_length: u32,
    pub(super) crc: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockEntry {
    pub(super) first: u32,
    pub(super) keys: u32,
    pub(super) length: u32,
    pub(super) crc: u32,
}

impl Header {
    pub(super) const LENGTH: usize = 36;

    pub(super) fn encode(&self, kind: FileKind) -> Vec<u8> {
        let mut out = kind.magic.to_vec();
        out.extend(FORMAT.to_le_bytes());
        out.extend(self.index_length.to_le_bytes());
        out.extend(self.file_length.to_le_bytes());
        out.extend(self.facts_length.to_le_bytes());
        out.extend(self.crc.to_le_bytes());
        out.extend(crc32fast::hash(&out).to_le_bytes());
        out
    }

    pub(super) fn decode(kind: FileKind, bytes: &[u8]) -> Result<Self, BlockError> {
        let damaged = || BlockError::Damaged { kind: kind.name, what: "its header is damaged" };
        let before_crc = bytes.get(..Self::LENGTH - 4);
        if bytes.get(..8) != Some(&kind.magic) {
            return Err(BlockError::OtherKind { kind: kind.name });
        }
        let found = u32_at(bytes, 8).ok_or_else(damaged)?;
        if found != FORMAT {
            return Err(BlockError::Version { kind: kind.name, found, readable: FORMAT });
        }
        let is_whole = before_crc.map(crc32fast::hash) == u32_at(bytes, Self::LENGTH - 4);
        let header = || {
            Some(Self {
                index_length: u32_at(bytes, 12)?,
                file_length: u64_at(bytes, 16)?,
                facts_length: u32_at(bytes, 24)?,
                crc: u32_at(bytes, 28)?,
            })
        };
        is_whole.then(header).flatten().ok_or_else(damaged)
    }

    /// `None` if the lengths are impossible.
    pub(super) fn blocks_length(&self) -> Option<u64> {
        let rest = self.file_length.checked_sub(Self::LENGTH as u64)?.checked_sub(u64::from(self.index_length))?;
        rest.checked_sub(u64::from(self.facts_length)).filter(|_| self.facts_length as usize <= MAX_FACTS_BYTES)
    }
}

impl BlockEntry {
    pub(super) const LENGTH: usize = 16;

    pub(super) fn encode(&self) -> Vec<u8> {
        [self.first, self.keys, self.length, self.crc].map(u32::to_le_bytes).concat()
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let [first, keys, length, crc] = [0, 4, 8, 12].map(|at| u32_at(bytes, at));
        let entry = Self { first: first?, keys: keys?, length: length?, crc: crc? };
        (entry.keys <= entry.length && entry.length as usize <= MAX_BLOCK_BYTES).then_some(entry)
    }
}
