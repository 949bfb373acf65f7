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
        let mut words = draft.places().iter().zip(&self.numbers);
        for row in draft.rows() {
            let (own, rest) = literals.split_at_checked(row.literals as usize).unwrap_or_default();
            literals = rest;
            self.record.clear();
            let mut done = 0;
            for (&place, &number) in words.by_ref().take(row.words as usize) {
                let place = usize::from(place);
                if done < place {
                    self.record.extend_from_slice(own.get(done..place).unwrap_or_default());
                    done = place;
                }
                varint::push(&mut self.record, number);
            }
            self.record.extend_from_slice(own.get(done..).unwrap_or_default());
            if let Some(partition) = self.partitions.get_mut((row.row_id >> PARTITION_BITS) as usize) {
                partition.push(row.row_id, &self.record).map_err(ImportError::Memory)?;
            }
        }
        Ok(())
    }
}
