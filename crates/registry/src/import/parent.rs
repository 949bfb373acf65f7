//! What a new edition takes over from the one before, and is compared with.

use kuraka_domain::Date;

use super::guard::SAMPLED;
use super::vocabulary::{Full, Vocabulary};
use crate::edition::evenly;
use crate::format::header::Identity;
use crate::format::lists::Lists;
use crate::row_id::row_id_of;
use crate::{ListMeta, OpenEdition};

/// Facts of the edition before. The edition itself is closed again, so that its pages do not count while building.
pub(crate) struct Parent {
    pub(crate) date: Date,
    pub(crate) rows: u64,
    pub(crate) identity: Identity,
    pub(crate) lists: Lists,
    pub(crate) withholding: Option<ListMeta>,
    pub(crate) good_taxpayers: Option<ListMeta>,
    /// Slots of evenly spaced rows, rising.
    pub(crate) sample: Vec<u32>,
}

impl Parent {
    /// Takes the facts of `edition`, and its dictionary.
    pub(crate) fn new(edition: &OpenEdition) -> Result<(Self, Vocabulary), Full> {
        let mut vocabulary = Vocabulary::new();
        for word in edition.dictionary() {
            vocabulary.number(word)?;
        }
        let sample = evenly(edition.rows(), SAMPLED)
            .filter_map(|ordinal| edition.row(ordinal).ok().flatten())
            .map(|row| row_id_of(row.ruc))
            .collect();
        let meta = edition.meta();
        let parent = Self {
            date: meta.date,
            rows: edition.rows(),
            identity: edition.identity(),
            lists: edition.lists().clone(),
            withholding: meta.withholding.clone(),
            good_taxpayers: meta.good_taxpayers.clone(),
            sample,
        };
        Ok((parent, vocabulary))
    }
}
