//! The current edition, as far as a new one continues it and is compared with it.

use crate::changes::EditionName;
use crate::index::{IndexError, SampledRow, Vocabulary};
use crate::row_id::row_id_of;
use crate::{Edition, Meta};

/// Taxpayers of the previous edition that are looked for in a new one.
const SAMPLED: u64 = 10_000;

/// Facts of the current edition. The edition itself is closed, so that its pages use no memory during the import.
pub(super) struct Parent {
    pub(super) name: EditionName,
    pub(super) meta: Meta,
    /// Whether it has an index of names.
    pub(super) has_names: bool,
    /// Evenly spaced rows, by rising row id.
    pub(super) sample: Vec<SampledRow>,
}

impl Parent {
    /// Takes the facts of the current edition, which the publication with this number made the current one.
    pub(super) fn new(edition: &Edition, number: u64) -> Self {
        let row = |(ruc, record): (_, Vec<u8>)| SampledRow { row_id: row_id_of(ruc), state: edition.state(&record) };
        let sample = edition.sample(SAMPLED).map(row).collect();
        Self { name: edition.name(number), meta: edition.meta().clone(), has_names: edition.has_names(), sample }
    }
}

/// The dictionary of an edition, whose words keep their numbers in the next one.
pub(super) fn vocabulary_of(edition: &Edition) -> Result<Vocabulary, IndexError> {
    let mut vocabulary = Vocabulary::new();
    edition.dictionary().try_for_each(|word| vocabulary.number(word).map(drop))?;
    Ok(vocabulary)
}
