//! Turns drafts into records; the counterpart of the reader [`crate::format::record`].

use super::draft::Draft;
use super::error::ImportError;
use super::partition::{PARTITION_BITS, PARTITIONS, Partition};
use super::vocabulary::Vocabulary;
use crate::format::varint;

/// Numbers the words of drafts and puts their records into partitions.
pub(crate) struct Encoder {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) partitions: Vec<Partition>,
    numbers: Vec<u32>,
    record: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new(vocabulary: Vocabulary) -> Self {
        Self {
            vocabulary,
            partitions: (0..PARTITIONS).map(|_| Partition::default()).collect(),
            numbers: Vec::new(),
            record: Vec::new(),
        }
    }

    /// Puts the records of `draft` into their partitions.
    pub(crate) fn encode(&mut self, draft: &Draft) -> Result<(), ImportError> {
        self.vocabulary.numbers(draft, &mut self.numbers)?;
        let mut literals = draft.literals();
        let mut places = draft.places();
        let mut numbers = self.numbers.as_slice();
        for row in draft.rows() {
            let own = front(&mut literals, row.literals);
            self.record.clear();
            let mut done = 0;
            for (&place, &number) in front(&mut places, row.placed).iter().zip(front(&mut numbers, row.placed)) {
                self.record.extend_from_slice(own.get(done..usize::from(place)).unwrap_or_default());
                done = usize::from(place);
                varint::push(&mut self.record, number);
            }
            self.record.extend_from_slice(own.get(done..).unwrap_or_default());
            for &number in front(&mut numbers, row.name) {
                varint::push(&mut self.record, number);
            }
            if let Some(partition) = self.partitions.get_mut((row.row_id >> PARTITION_BITS) as usize) {
                partition.push(row.row_id, &self.record).map_err(ImportError::Memory)?;
            }
        }
        Ok(())
    }
}

/// Takes the first `count` items.
fn front<'a, T>(items: &mut &'a [T], count: u32) -> &'a [T] {
    let (front, rest) = items.split_at_checked(count as usize).unwrap_or_default();
    *items = rest;
    front
}
