//! A word's key in the dictionary's table, computed without the table.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

/// Longest word that is its own key.
const SHORT: usize = 12;

/// A short word's bytes, zero-padded; or a byte of zero and a long word's hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    low: u64,
    high: u32,
    pub(crate) hash: u32,
}

/// Randomly seeded, so that a file cannot cause collisions on purpose; numbers do not depend on it.
#[derive(Clone, Default)]
pub(crate) struct WordHasher(RandomState);

impl WordHasher {
    /// `text` has no NUL byte.
    pub(crate) fn word(&self, text: &[u8]) -> Word {
        self.word_at(text, text.len())
    }

    /// The first `length` bytes of `text`; faster if more text follows.
    pub(crate) fn word_at(&self, text: &[u8], length: usize) -> Word {
        if (1..=SHORT).contains(&length) {
            let (low, high) = short(text, length);
            return Word { low, high, hash: self.0.hash_one((low, high)) as u32 };
        }
        let hash = self.0.hash_one(text.get(..length).unwrap_or_default());
        Word { low: hash << 8, high: hash as u32, hash: hash as u32 }
    }

    pub(crate) fn hash(&self, (low, high): (u64, u32)) -> u32 {
        if is_long(low) { high } else { self.0.hash_one((low, high)) as u32 }
    }
}

impl Word {
    pub(crate) const fn key(self) -> (u64, u32) {
        (self.low, self.high)
    }

    /// Whether the text must be compared too: the key is only a hash.
    pub(crate) const fn is_long(self) -> bool {
        is_long(self.low)
    }

    pub(crate) fn short_text(self) -> ([u8; SHORT], usize) {
        let mut text = [0; SHORT];
        let (low, high) = text.split_at_mut(8);
        low.copy_from_slice(&self.low.to_le_bytes());
        high.copy_from_slice(&self.high.to_le_bytes());
        let length = text.iter().position(|&byte| byte == 0).unwrap_or(SHORT);
        (text, length)
    }
}

const fn is_long(low: u64) -> bool {
    low & 0xff == 0
}

/// Without a branch on the length.
fn short(text: &[u8], length: usize) -> (u64, u32) {
    let bytes = text.first_chunk().copied().unwrap_or_else(|| {
        let mut padded = [0; size_of::<u128>()];
        padded.iter_mut().zip(text).for_each(|(place, &byte)| *place = byte);
        padded
    });
    let key = u128::from_le_bytes(bytes) & !(u128::MAX << (8 * length));
    (key as u64, (key >> 64) as u32)
}
