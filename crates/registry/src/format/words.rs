//! The dictionary: every distinct word and field value once, found by number.
//!
//! Layout: a `u32` count, then count + 1 entries of `u32` start and `u32` check, then the text. A word ends where the
//! next one starts; the last entry only says where the text ends. The check covers the word's number and bytes and is
//! looked at with every use, so that a damaged dictionary cannot put another word into a record.

use super::u32_at;

/// Bytes of one entry.
const ENTRY: usize = 8;

/// The dictionary of an open edition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    entries: &'a [u8],
    text: &'a [u8],
}

/// An odd constant without pattern: 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The check stored beside word number `id`: eight bytes at a time, the last ones padded with zeros, each step
/// reversible, so that two words of the same length that differ in one step never meet before the upper half is dropped.
///
/// A CRC of so few bytes takes several times as long, and a look-up checks some eight words.
pub(crate) fn check(id: u32, word: &[u8]) -> u32 {
    let start = u64::from(id) << 32 | word.len() as u64 & 0xffff_ffff;
    let (chunks, tail) = word.as_chunks::<8>();
    let state = chunks.iter().fold(step(0, start), |state, chunk| step(state, u64::from_le_bytes(*chunk)));
    let state = if tail.is_empty() { state } else { step(state, padded(tail)) };
    state as u32
}

const fn step(state: u64, value: u64) -> u64 {
    let product = (state ^ value).wrapping_mul(SPREAD);
    product ^ product >> 32
}

/// Up to seven bytes as a number, low bytes first.
fn padded(tail: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (tail.first_chunk::<4>(), tail.last_chunk::<4>()) {
        let shift = 8 * (8 - tail.len() as u32);
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) >> shift << 32;
    }
    tail.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_is_the_one_of_the_format_page() {
        // Eight bytes at a time by plain arithmetic, as the page words it.
        let plain = |id: u32, word: &[u8]| {
            let mut values = vec![u64::from(id) * (1 << 32) + word.len() as u64];
            values
                .extend(word.chunks(8).map(|part| part.iter().rev().fold(0, |sum, &byte| sum * 256 + u64::from(byte))));
            let state = values.into_iter().fold(0_u64, |state, value| {
                let product = (state ^ value).wrapping_mul(SPREAD);
                product ^ (product >> 32)
            });
            (state % (1 << 32)) as u32
        };
        for length in 0..40_u8 {
            let word: Vec<u8> = (0..length).map(|i| i.wrapping_mul(37).wrapping_add(length)).collect();
            assert_eq!(check(u32::from(length) * 77, &word), plain(u32::from(length) * 77, &word), "length {length}");
        }
    }

    #[test]
    fn every_changed_bit_changes_the_check() {
        for length in 1..=24 {
            let word = &b"CONSTRUCTORA INVERSIONES"[..length];
            for bit in 0..length * 8 {
                let mut bad = word.to_vec();
                bad[bit / 8] ^= 1 << (bit % 8);
                assert_ne!(check(5, &bad), check(5, word), "length {length}, bit {bit}");
            }
            assert_ne!(check(6, word), check(5, word));
        }
    }
}
