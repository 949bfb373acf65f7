//! The dictionary during an import.
//!
//! The words of the parent edition keep their numbers, so that an unchanged row keeps its bytes. Without a parent,
//! frequent words of the file's beginning come first.
//!
//! A hundred million lookups go to a table far larger than the processor's caches, so the entries of a batch are loaded
//! first, and their cache misses overlap.

use std::cmp::Reverse;

use super::draft::Draft;
use super::error::IndexError;
use super::word::{Word, WordHasher};
use crate::format::words;

/// Words whose entries are loaded together.
const BATCH: usize = 64;
/// A power of two.
const FIRST_ENTRIES: usize = 1 << 10;

pub(crate) struct Vocabulary {
    text: Vec<u8>,
    ends: Vec<u32>,
    /// A power of two, at least a quarter empty, with linear probing.
    table: Vec<Entry>,
    hasher: WordHasher,
}

#[derive(Clone, Copy)]
struct Entry {
    low: u64,
    high: u32,
    number: u32,
}

/// The dictionary exceeds 4 GiB or 2³² words.
const FULL: IndexError = IndexError::TooLarge { what: "its distinct words take more than 4 GiB" };

impl Vocabulary {
    pub(crate) fn new() -> Self {
        Self {
            text: Vec::new(),
            ends: Vec::new(),
            table: vec![Entry::EMPTY; FIRST_ENTRIES],
            hasher: WordHasher::default(),
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Words must be made with this hasher.
    pub(crate) const fn hasher(&self) -> &WordHasher {
        &self.hasher
    }

    /// Adds a new word. It is not empty and has neither a NUL byte nor a line feed.
    pub(crate) fn number(&mut self, text: &[u8]) -> Result<u32, IndexError> {
        self.find_or_add(self.hasher.word(text), text)
    }

    pub(crate) fn numbers(&mut self, draft: &Draft, numbers: &mut Vec<u32>) -> Result<(), IndexError> {
        numbers.clear();
        let mut long = draft.long_words();
        let mut homes = [Entry::EMPTY; BATCH];
        for words in draft.words.chunks(BATCH) {
            for (home, word) in homes.iter_mut().zip(words) {
                *home = self.home(*word);
            }
            for (home, &word) in homes.iter().zip(words) {
                numbers.push(if word.is_long() {
                    self.find_or_add(word, long.next().unwrap_or_default())?
                } else if home.key() == word.key() {
                    home.number
                } else {
                    let (text, length) = word.short_text();
                    self.find_or_add(word, text.get(..length).unwrap_or_default())?
                });
            }
        }
        Ok(())
    }

    fn home(&self, word: Word) -> Entry {
        self.table.get(word.hash as usize & (self.table.len() - 1)).copied().unwrap_or(Entry::EMPTY)
    }

    fn find_or_add(&mut self, word: Word, text: &[u8]) -> Result<u32, IndexError> {
        for entry in probe(&self.table, word.hash).map_while(|at| self.table.get(at)) {
            if entry.number == Entry::EMPTY.number {
                break;
            }
            let same = entry.key() == word.key()
                && (!word.is_long() || word_at(&self.text, &self.ends, entry.number) == Some(text));
            if same {
                return Ok(entry.number);
            }
        }
        let number = u32::try_from(self.ends.len()).map_err(|_| FULL)?;
        if number == Entry::EMPTY.number {
            return Err(FULL);
        }
        self.text.extend_from_slice(text);
        self.ends.push(u32::try_from(self.text.len()).map_err(|_| FULL)?);
        if self.ends.len() > self.table.len() / 4 * 3 {
            self.grow();
        }
        let (low, high) = word.key();
        put(&mut self.table, word.hash, Entry { low, high, number });
        Ok(number)
    }

    fn grow(&mut self) {
        let mut larger = vec![Entry::EMPTY; self.table.len() * 2];
        for entry in self.table.iter().filter(|entry| entry.number != Entry::EMPTY.number) {
            put(&mut larger, self.hasher.hash(entry.key()), *entry);
        }
        self.table = larger;
    }

    /// Adds words to an empty dictionary, the most frequent first, then the first used.
    pub(crate) fn number_by_frequency(&mut self, drafts: &[Draft]) -> Result<(), IndexError> {
        let mut uses: Vec<u32> = Vec::new();
        let mut numbers = Vec::new();
        for draft in drafts {
            self.numbers(draft, &mut numbers)?;
            uses.resize(self.ends.len(), 0);
            for &number in &numbers {
                if let Some(uses) = uses.get_mut(number as usize) {
                    *uses += 1;
                }
            }
        }
        let mut order: Vec<u32> = (0..uses.len() as u32).collect();
        order.sort_by_key(|&number| Reverse(uses.get(number as usize)));
        let mut sorted = Self { hasher: self.hasher.clone(), ..Self::new() };
        for number in order {
            sorted.number(word_at(&self.text, &self.ends, number).unwrap_or_default())?;
        }
        *self = sorted;
        Ok(())
    }

    /// Empty if there is none.
    pub(crate) fn word(&self, number: u32) -> &str {
        let text = word_at(&self.text, &self.ends, number).unwrap_or_default();
        std::str::from_utf8(text).unwrap_or_default()
    }

    pub(crate) const fn count(&self) -> usize {
        self.ends.len()
    }

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

impl Entry {
    const EMPTY: Self = Self { low: 0, high: 0, number: u32::MAX };

    const fn key(&self) -> (u64, u32) {
        (self.low, self.high)
    }
}

/// Nearest first.
fn probe(table: &[Entry], hash: u32) -> impl Iterator<Item = usize> + use<> {
    let mask = table.len() - 1;
    (hash as usize..).take(table.len()).map(move |at| at & mask)
}

fn put(table: &mut [Entry], hash: u32, entry: Entry) {
    let free = probe(table, hash).find(|&at| table.get(at).is_some_and(|other| other.number == Entry::EMPTY.number));
    if let Some(place) = free.and_then(|at| table.get_mut(at)) {
        *place = entry;
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
    fn words_are_numbered_in_order_of_first_use() {
        let mut vocabulary = Vocabulary::new();
        let words: Vec<String> = (0..5000).map(|i| format!("W{}", i % 3000)).collect();
        for (i, word) in words.iter().enumerate() {
            assert_eq!(vocabulary.number(word.as_bytes()).unwrap(), i as u32 % 3000);
        }
        let section = vocabulary.encode();
        let read = Words::decode(&section, words::Size::read(&section).unwrap()).unwrap();
        assert_eq!(read.count(), 3000);
        for (i, word) in words.iter().enumerate().take(3000) {
            assert_eq!(read.word(i as u32), Some(word.as_bytes()));
        }
        assert_eq!(read.word(3000), None);
    }

    #[test]
    fn words_of_every_length_have_their_own_number() {
        let mut vocabulary = Vocabulary::new();
        let words: Vec<String> = (1..40).flat_map(|length| ["A", "B"].map(|letter| letter.repeat(length))).collect();
        for round in 0..2 {
            for (i, word) in words.iter().enumerate() {
                assert_eq!(vocabulary.number(word.as_bytes()).unwrap(), i as u32, "round {round}: {word}");
            }
        }
    }
}
