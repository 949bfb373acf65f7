//! The dictionary while it grows: every distinct word gets the next number when it is first seen.
//!
//! The words of the parent edition come first and keep their numbers, so that an unchanged row keeps its bytes.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

use crate::format::words;

/// Words and their numbers.
pub(crate) struct Vocabulary {
    text: Vec<u8>,
    /// Where each word ends.
    ends: Vec<u32>,
    /// The number and half the hash of each word: most words that differ are told apart without reading their text.
    table: HashTable<(u32, u32)>,
    /// Seeded by chance, so that no file can be made to collide; numbers do not depend on it.
    hasher: RandomState,
}

/// The dictionary exceeds the four gigabytes its numbers reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Vocabulary {
    pub(crate) fn new() -> Self {
        Self { text: Vec::new(), ends: Vec::new(), table: HashTable::new(), hasher: RandomState::default() }
    }

    /// The number of `word`, given to it now if it is new.
    pub(crate) fn number(&mut self, word: &[u8]) -> Result<u32, Full> {
        let hash = self.hasher.hash_one(word);
        let half = (hash >> 32) as u32 ^ hash as u32;
        let (text, ends) = (&self.text, &self.ends);
        let known =
            self.table.find(hash, |&(other, number)| other == half && word_at(text, ends, number) == Some(word));
        if let Some(&(_, number)) = known {
            return Ok(number);
        }
        let number = u32::try_from(self.ends.len()).map_err(|_| Full)?;
        self.text.extend_from_slice(word);
        self.ends.push(u32::try_from(self.text.len()).map_err(|_| Full)?);
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        self.table.insert_unique(hash, (half, number), |&(_, number)| {
            hasher.hash_one(word_at(text, ends, number).unwrap_or_default())
        });
        Ok(number)
    }

    /// The dictionary section's bytes.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let count = self.ends.len();
        let mut out = Vec::with_capacity(4 + (count + 1) * 8 + self.text.len());
        out.extend_from_slice(&(count as u32).to_le_bytes());
        let mut start = 0;
        for (number, &end) in (0_u32..).zip(&self.ends) {
            let word = self.text.get(start as usize..end as usize).unwrap_or_default();
            out.extend_from_slice(&u32::to_le_bytes(start));
            out.extend_from_slice(&words::check(number, word).to_le_bytes());
            start = end;
        }
        out.extend_from_slice(&start.to_le_bytes());
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&self.text);
        out
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
        let read = Words::new(&section).unwrap();
        assert_eq!(read.count(), 3000);
        for (i, word) in words.iter().enumerate().take(3000) {
            assert_eq!(read.word(i as u32), Some(word.as_bytes()));
        }
        assert_eq!(read.word(3000), None);
    }

    #[test]
    fn a_changed_word_is_not_given_out() {
        let mut vocabulary = Vocabulary::new();
        vocabulary.number(b"PEREZ").unwrap();
        vocabulary.number(b"QUISPE").unwrap();
        let good = vocabulary.encode();
        for bit in 32..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            let words = Words::new(&bad).unwrap();
            assert!([None, Some(b"PEREZ".as_slice())].contains(&words.word(0)), "bit {bit}");
            assert!([None, Some(b"QUISPE".as_slice())].contains(&words.word(1)), "bit {bit}");
        }
    }
}
