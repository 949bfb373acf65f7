//! The dictionary while it grows: every distinct word gets the next number when it is first seen.
//!
//! The words of the parent edition come first and keep their numbers, so that an unchanged row keeps its bytes.
//!
//! An import asks for a hundred million numbers, and most of the time goes into waiting for memory. So a short word is
//! kept in its table entry and compared there, and the words met last are found in a small table that stays in the
//! processor's cache.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::format::words;

/// Words up to this length are compared without reading the dictionary's text.
const SHORT: usize = 12;
/// Entries of the table of recent words: 256 KiB.
const RECENT: usize = 1 << 14;

/// Words and their numbers.
pub(crate) struct Vocabulary {
    text: Vec<u8>,
    /// Where each word ends.
    ends: Vec<u32>,
    table: HashTable<Entry>,
    recent: Box<[Entry]>,
    /// Seeded by chance, so that no file can be made to collide; numbers do not depend on it.
    hasher: RandomState,
}

/// A word's key and number.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: Key,
    number: u32,
}

/// A short word's bytes, zero-padded; for a long word its hash, marked by a first byte of zero, which no short word
/// has.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Key(u64, u32);

/// The dictionary exceeds the four gigabytes its numbers reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Vocabulary {
    pub(crate) fn new() -> Self {
        Self {
            text: Vec::new(),
            ends: Vec::new(),
            table: HashTable::new(),
            recent: vec![Entry::default(); RECENT].into_boxed_slice(),
            hasher: RandomState::default(),
        }
    }

    /// The number of `word`, given to it now if it is new. A word has neither a NUL byte nor a line feed, and is not
    /// empty.
    pub(crate) fn number(&mut self, word: &[u8]) -> Result<u32, Full> {
        let Some(key) = Key::short(word) else {
            let hash = self.hasher.hash_one(word);
            return self.find_or_add(word, Key::long(hash), hash);
        };
        let hash = self.hash_of(key);
        let slot = hash as usize % RECENT;
        if let Some(entry) = self.recent.get(slot).filter(|entry| entry.key == key) {
            return Ok(entry.number);
        }
        let number = self.find_or_add(word, key, hash)?;
        if let Some(entry) = self.recent.get_mut(slot) {
            *entry = Entry { key, number };
        }
        Ok(number)
    }

    fn find_or_add(&mut self, word: &[u8], key: Key, hash: u64) -> Result<u32, Full> {
        let (text, ends) = (&self.text, &self.ends);
        let same =
            |entry: &Entry| entry.key == key && (!key.is_long() || word_at(text, ends, entry.number) == Some(word));
        if let Some(entry) = self.table.find(hash, same) {
            return Ok(entry.number);
        }
        let number = u32::try_from(self.ends.len()).map_err(|_| Full)?;
        self.text.extend_from_slice(word);
        self.ends.push(u32::try_from(self.text.len()).map_err(|_| Full)?);
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        self.table.insert_unique(hash, Entry { key, number }, |entry| {
            if entry.key.is_long() {
                hasher.hash_one(word_at(text, ends, entry.number).unwrap_or_default())
            } else {
                hasher.hash_one((entry.key.0, entry.key.1))
            }
        });
        Ok(number)
    }

    fn hash_of(&self, key: Key) -> u64 {
        self.hasher.hash_one((key.0, key.1))
    }

    /// The dictionary section's bytes.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text.len() + self.ends.len());
        let mut start = 0;
        for &end in &self.ends {
            out.extend_from_slice(self.text.get(start..end as usize).unwrap_or_default());
            out.push(words::END);
            start = end as usize;
        }
        out
    }
}

impl Key {
    /// The key of a word of up to [`SHORT`] bytes.
    fn short(word: &[u8]) -> Option<Self> {
        let bytes = |at: usize| -> Option<u64> {
            word.get(at..at + 4)?.try_into().ok().map(|bytes| u64::from(u32::from_le_bytes(bytes)))
        };
        // The last four bytes are read again, overlapping, and shifted: no loop, no call.
        match word.len() {
            length @ 8..=SHORT => {
                let last = bytes(length - 4)? >> (8 * (SHORT - length));
                Some(Self(bytes(0)? | bytes(4)? << 32, last as u32))
            }
            length @ 4..8 => Some(Self(bytes(0)? | bytes(length - 4)? >> (8 * (8 - length)) << 32, 0)),
            1..4 => Some(Self(word.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte)), 0)),
            _ => None,
        }
    }

    const fn long(hash: u64) -> Self {
        Self(hash << 8, hash as u32)
    }

    const fn is_long(self) -> bool {
        self.0 & 0xff == 0
    }
}

fn word_at<'a>(text: &'a [u8], ends: &[u32], number: u32) -> Option<&'a [u8]> {
    let number = number as usize;
    let start = if number == 0 { 0 } else { *ends.get(number - 1)? };
    text.get(start as usize..*ends.get(number)? as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::words::Words;

    #[test]
    fn numbers_follow_first_sight_and_read_back() {
        let mut vocabulary = Vocabulary::new();
        let words: Vec<String> = (0..5000).map(|i| format!("W{}", i % 3000)).collect();
        for (i, word) in words.iter().enumerate() {
            assert_eq!(vocabulary.number(word.as_bytes()), Ok(i as u32 % 3000));
        }
        let section = vocabulary.encode();
        let read = Words::decode(&section).unwrap();
        assert_eq!(read.count(), 3000);
        for (i, word) in words.iter().enumerate().take(3000) {
            assert_eq!(read.word(i as u32), Some(word.as_bytes()));
        }
        assert_eq!(read.word(3000), None);
    }

    #[test]
    fn words_of_every_length_are_told_apart() {
        let mut vocabulary = Vocabulary::new();
        let words: Vec<String> = (1..40).flat_map(|length| ["A", "B"].map(|letter| letter.repeat(length))).collect();
        for round in 0..2 {
            for (i, word) in words.iter().enumerate() {
                assert_eq!(vocabulary.number(word.as_bytes()), Ok(i as u32), "round {round}: {word}");
            }
        }
    }
}
