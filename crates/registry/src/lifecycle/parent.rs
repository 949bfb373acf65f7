//! What a new edition continues and is compared with.

use crate::changes::EditionName;
use crate::index::{IndexError, SampledRow, Vocabulary};
use crate::row_id::row_id_of;
use crate::{Edition, Meta};

/// Taxpayers looked for in a new edition.
const SAMPLED: u64 = 10_000;

/// The current edition's facts; the edition is closed, so that its pages use no memory during the import.
pub(super) struct Parent {
    pub(super) name: EditionName,
    pub(super) meta: Meta,
    pub(super) has_names: bool,
    /// Evenly spaced, by rising row id.
    pub(super) sample: Vec<SampledRow>,
}

impl Parent {
    /// `number` is of the publication that made it current.
    pub(super) fn new(edition: &Edition, number: u64) -> Self {
        let row = |(ruc, record): (_, Vec<u8>)| SampledRow { row_id: row_id_of(ruc), state: edition.state(&record) };
        // A damaged taxpayer is left out.
        let sample = edition.sample(SAMPLED).flatten().map(row).collect();
        Self { name: edition.name(number), meta: edition.meta().clone(), has_names: edition.has_names(), sample }
    }
}

/// Its words keep their numbers in the next edition.
pub(super) fn vocabulary_of(edition: &Edition) -> Result<Vocabulary, IndexError> {
    let mut vocabulary = Vocabulary::new();
    edition.dictionary().try_for_each(|word| vocabulary.number(word).map(drop))?;
    Ok(vocabulary)
}
