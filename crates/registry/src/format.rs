//! The bytes of an edition file: each module has the writer and the reader of one part.
//!
//! Readers never panic: for any bytes, the result is a value or an error.

pub(crate) mod address;
pub(crate) mod bucket;
pub(crate) mod codes;
mod error;
pub(crate) mod fields;
pub(crate) mod groups;
pub(crate) mod header;
pub(crate) mod record;
pub(crate) mod varint;
pub(crate) mod words;

pub use error::{CorruptRowError, EditionError};

/// 2³² ÷ golden ratio: odd, so products differ.
pub(crate) const SPREAD: u32 = 0x9e37_79b1;

/// The CRC-32 of `bytes`, started with the number of what they are.
#[inline]
pub(crate) fn check(number: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(number.wrapping_mul(SPREAD));
    hasher.update(bytes);
    hasher.finalize()
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let end = at.checked_add(4)?;
    Some(u32::from_le_bytes(bytes.get(at..end)?.try_into().ok()?))
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let end = at.checked_add(8)?;
    Some(u64::from_le_bytes(bytes.get(at..end)?.try_into().ok()?))
}
