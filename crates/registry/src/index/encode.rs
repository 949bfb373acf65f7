//! Turns drafts into records, which [`crate::format::record`] reads.
//!
//! Without a parent, the words of the first drafts are counted, so that frequent ones get the shortest numbers.

use super::draft::Draft;
use super::error::IndexError;
use super::partition::{self, PARTITION_BITS, Partition};
use super::vocabulary::Vocabulary;
use crate::format::varint;

/// 64 MiB of text: enough for the thirty thousand words that make nine tenths of a padrón.
const COUNTED_DRAFTS: usize = 64;
/// Bounds the memory that a file of very short words takes.
const COUNTED_WORDS: usize = 4 << 20;

pub(crate) struct Encoder {
    vocabulary: Vocabulary,
    partitions: Vec<Partition>,
    /// The first drafts until their words are counted, then `None`.
    first: Option<Vec<Draft>>,
    numbers: Vec<u32>,
    record: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new(vocabulary: Vocabulary) -> Self {
        Self {
            first: vocabulary.is_empty().then(Vec::new),
            vocabulary,
            partitions: partition::empty(),
            numbers: Vec::new(),
            record: Vec::new(),
        }
    }

    /// Encodes the rows of `draft` and returns a draft to fill next.
    pub(crate) fn encode(&mut self, draft: Draft) -> Result<Draft, IndexError> {
        let Some(first) = &mut self.first else {
            self.put(&draft)?;
            return Ok(draft);
        };
        first.push(draft);
        if first.len() == COUNTED_DRAFTS || first.iter().map(|draft| draft.words.len()).sum::<usize>() >= COUNTED_WORDS
        {
            self.end_count()?;
        }
        Ok(Draft::default())
    }

    pub(crate) fn finish(mut self) -> Result<(Vocabulary, Vec<Partition>), IndexError> {
        self.end_count()?;
        Ok((self.vocabulary, self.partitions))
    }

    /// Numbers the words of the first drafts by frequency, and encodes them.
    fn end_count(&mut self) -> Result<(), IndexError> {
        let Some(first) = self.first.take() else { return Ok(()) };
        self.vocabulary.number_by_frequency(&first)?;
        first.into_iter().try_for_each(|draft| self.put(&draft))
    }

    fn put(&mut self, draft: &Draft) -> Result<(), IndexError> {
        self.vocabulary.numbers(draft, &mut self.numbers)?;
        let mut literals = draft.literals.as_slice();
        let mut places = draft.places.as_slice();
        let mut numbers = self.numbers.as_slice();
        for row in &draft.rows {
            let own = front(&mut literals, row.literals);
            let (placed, name) = (front(&mut numbers, row.placed), front(&mut numbers, row.name));
            let places = front(&mut places, row.placed);
            let record = &mut self.record;
            record.clear();
            let mut done = 0;
            for (&place, &number) in places.iter().zip(placed) {
                record.extend_from_slice(own.get(done..usize::from(place)).unwrap_or_default());
                done = usize::from(place);
                varint::push(record, number);
            }
            record.extend_from_slice(own.get(done..).unwrap_or_default());
            name.iter().for_each(|&number| varint::push(record, number));
            if let Some(partition) = self.partitions.get_mut((row.row_id >> PARTITION_BITS) as usize) {
                partition.push(row.row_id, record).map_err(IndexError::Memory)?;
            }
        }
        Ok(())
    }
}

fn front<'a, T>(items: &mut &'a [T], count: u32) -> &'a [T] {
    let (front, rest) = items.split_at_checked(count as usize).unwrap_or_default();
    *items = rest;
    front
}

#[cfg(test)]
mod tests {
    use kuraka_domain::{Ruc, RucKind};

    use super::*;
    use crate::index::draft::Drafter;
    use crate::reader::padron::{Parsed, parse};
    use crate::text::Marks;

    fn imported(vocabulary: Vocabulary, names: impl IntoIterator<Item = String>) -> (String, usize) {
        let mut drafter = Drafter::new(vocabulary.hasher().clone());
        let mut encoder = Encoder::new(vocabulary);
        for (body, name) in (1..).zip(names) {
            let ruc = Ruc::from_parts(RucKind::LegalPerson, body).unwrap();
            let line = format!("{ruc}|{name}|ACTIVO|HABIDO|{}", "-|".repeat(11));
            let mut marks = Marks::default();
            let marked = marks.mark(line.as_bytes());
            let Parsed::Row(row) = parse(marked.whole()) else { panic!("{line} is not a row") };
            let mut draft = Draft::default();
            drafter.push(&row, &mut draft);
            encoder.encode(draft).unwrap();
        }
        let (vocabulary, partitions) = encoder.finish().unwrap();
        let rows = partitions.iter().map(|partition| partition.sorted().len()).sum();
        (String::from_utf8(vocabulary.encode()).unwrap(), rows)
    }

    #[test]
    fn the_most_frequent_words_of_the_beginning_come_first() {
        let names =
            ["ONE TWO THREE", "THREE TWO", "THREE A-VERY-LONG-WORD", "FOUR A-VERY-LONG-WORD"].map(str::to_owned);
        assert_eq!(imported(Vocabulary::new(), names), ("THREE\nTWO\nA-VERY-LONG-WORD\nONE\nFOUR\n".to_owned(), 4));
    }

    #[test]
    fn words_after_the_beginning_come_in_order_of_first_use() {
        let names = |n: usize| if n < COUNTED_DRAFTS { format!("EARLY{}", n % 2) } else { format!("LATE{}", n / 70) };
        let (words, rows) = imported(Vocabulary::new(), (1..100).map(names));
        assert_eq!((words.as_str(), rows), ("EARLY1\nEARLY0\nLATE0\nLATE1\n", 99));
    }

    #[test]
    fn many_short_words_end_the_count_early() {
        let short = std::iter::repeat_n("A ".repeat(120_000), COUNTED_WORDS.div_ceil(120_000));
        let (words, rows) = imported(Vocabulary::new(), short.chain(["C", "B B"].map(str::to_owned)));
        assert_eq!((words.as_str(), rows), ("A\nC\nB\n", 37));
    }

    #[test]
    fn a_parents_words_keep_their_numbers() {
        let mut parent = Vocabulary::new();
        parent.number(b"RARE").unwrap();
        parent.number(b"FREQUENT").unwrap();
        let (words, _) = imported(parent, ["FREQUENT NEW", "FREQUENT NEWER", "FREQUENT NEWER"].map(str::to_owned));
        assert_eq!(words, "RARE\nFREQUENT\nNEW\nNEWER\n");
    }
}
