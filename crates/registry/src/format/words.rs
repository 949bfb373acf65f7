//! The dictionary: every distinct word and field value once, found by number.
//!
//! Layout: a `u32` count, then count + 1 entries of `u32` start and `u32` check, then the text. A word ends where the
//! next one starts; the last entry only says where the text ends. The check is the CRC-32 of the word's number and
//! bytes, looked at with every use, so that a damaged dictionary cannot put another word into a record.

use super::u32_at;

/// Bytes of one entry.
const ENTRY: usize = 8;

/// The dictionary of an open edition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    entries: &'a [u8],
    text: &'a [u8],
}

/// The check stored beside word number `id`.
pub(crate) fn check(id: u32, word: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(id);
    hasher.update(word);
    hasher.finalize()
}

impl<'a> Words<'a> {
    /// Reads the section; `None` if its table does not fit into it.
    pub(crate) fn new(section: &'a [u8]) -> Option<Self> {
        let count = u32_at(section, 0)? as usize;
        let table = count.checked_add(1)?.checked_mul(ENTRY)?;
        let (entries, text) = section.get(4..)?.split_at_checked(table)?;
        Some(Self { entries, text })
    }

    /// Words in it.
    pub(crate) fn count(&self) -> u32 {
        (self.entries.len() / ENTRY).saturating_sub(1) as u32
    }

    /// Word number `id`; `None` if there is none or its bytes fail their check.
    pub(crate) fn word(&self, id: u32) -> Option<&'a [u8]> {
        let at = id as usize * ENTRY;
        let entry: &[u8; 12] = self.entries.get(at..at + 12)?.try_into().ok()?;
        let [s0, s1, s2, s3, c0, c1, c2, c3, e0, e1, e2, e3] = *entry;
        let start = u32::from_le_bytes([s0, s1, s2, s3]) as usize;
        let end = u32::from_le_bytes([e0, e1, e2, e3]) as usize;
        let word = self.text.get(start..end)?;
        (check(id, word) == u32::from_le_bytes([c0, c1, c2, c3])).then_some(word)
    }

    /// Appends word number `id` to `out`.
    pub(crate) fn append(&self, id: u32, out: &mut Vec<u8>) -> Option<()> {
        out.extend_from_slice(self.word(id)?);
        Some(())
    }
}
