//! The bytes of an edition file. Each file here has the writer and the reader of one part, so a rule is in one place.
//!
//! Readers are total: whatever the bytes, the answer is a value or an error, never a panic.
//! This module refuses to know files: it works on byte slices.

pub(crate) mod address;
pub(crate) mod block;
pub(crate) mod codes;
pub(crate) mod directory;
pub(crate) mod header;
pub(crate) mod lists;
pub(crate) mod record;
pub(crate) mod varint;
pub(crate) mod words;

/// The little-endian `u32` at `at`.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let end = at.checked_add(4)?;
    Some(u32::from_le_bytes(bytes.get(at..end)?.try_into().ok()?))
}

/// The little-endian `u64` at `at`.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let end = at.checked_add(8)?;
    Some(u64::from_le_bytes(bytes.get(at..end)?.try_into().ok()?))
}
