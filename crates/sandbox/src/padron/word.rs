//! Words by rank: the frequent ones are real, the long tail is put together from syllables.
//!
//! The tail makes a generated padrón as hard on a dictionary as the published one: most of its million words occur only
//! a few times.

mod frequent;

use self::frequent::SYLLABLES;
use super::random::Random;

/// How many vocabularies divide the tail among them.
const VOCABULARIES: u32 = 5;

/// Words of one kind.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// The vocabulary's own part of the tail, below [`VOCABULARIES`].
    tail: u32,
    /// The most frequent words.
    frequent: &'static [&'static str],
    /// See [`Random::rank`].
    first: u32,
    /// See [`Random::rank`].
    octaves: u32,
}

impl Vocabulary {
    /// Appends a word to `text`.
    pub(crate) fn push(&self, random: &mut Random, text: &mut String) {
        let rank = random.rank(self.first, self.octaves);
        match self.frequent.get(rank as usize) {
            Some(word) => text.push_str(word),
            None => push_syllables(rank * VOCABULARIES + self.tail, text),
        }
    }
}

/// Each number has its own word; larger numbers have longer ones.
fn push_syllables(mut number: u32, text: &mut String) {
    while number > 0 {
        let count = SYLLABLES.len() as u32;
        text.push_str(SYLLABLES.get((number % count) as usize).copied().unwrap_or_default());
        number /= count;
    }
}

/// Family names.
pub(crate) const SURNAMES: Vocabulary = Vocabulary { tail: 0, first: 6, octaves: 16, frequent: frequent::SURNAMES };

/// Given names.
pub(crate) const GIVEN_NAMES: Vocabulary =
    Vocabulary { tail: 1, first: 8, octaves: 15, frequent: frequent::GIVEN_NAMES };

/// Words that distinguish companies from each other.
pub(crate) const TRADE_NAMES: Vocabulary =
    Vocabulary { tail: 2, first: 16, octaves: 15, frequent: frequent::TRADE_NAMES };

/// Trades of companies.
pub(crate) const TRADES: Vocabulary = Vocabulary { tail: 3, first: 3, octaves: 5, frequent: frequent::TRADES };

/// Names of streets and of zones.
pub(crate) const PLACES: Vocabulary = Vocabulary { tail: 4, first: 10, octaves: 14, frequent: frequent::PLACES };

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::frequent::SYLLABLES;
    use super::{GIVEN_NAMES, PLACES, SURNAMES, TRADE_NAMES, TRADES, VOCABULARIES, push_syllables};

    #[test]
    fn no_frequent_word_or_syllable_is_listed_twice() {
        for vocabulary in [SURNAMES, GIVEN_NAMES, TRADE_NAMES, TRADES, PLACES] {
            assert_eq!(vocabulary.frequent.iter().collect::<HashSet<_>>().len(), vocabulary.frequent.len());
            assert!(vocabulary.tail < VOCABULARIES);
        }
        assert_eq!(SYLLABLES.iter().collect::<HashSet<_>>().len(), SYLLABLES.len());
    }

    #[test]
    fn each_number_has_its_own_word() {
        let word = |number| {
            let mut text = String::new();
            push_syllables(number, &mut text);
            text
        };
        assert_eq!((1..200_000).map(word).collect::<HashSet<_>>().len(), 199_999);
    }
}
