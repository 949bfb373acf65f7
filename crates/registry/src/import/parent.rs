//! The data of the previous edition that a new edition carries over or is compared with.

use std::collections::BTreeMap;

use kuraka_domain::Date;

use super::vocabulary::{Full, Vocabulary};
use crate::edition::evenly;
use crate::format::codes;
use crate::format::header::Identity;
use crate::format::lists::Lists;
use crate::publish::guards::SAMPLED;
use crate::row_id::row_id_of;
use crate::{List, ListMeta, OpenEdition};

/// Facts of the previous edition. The edition itself is closed, so that its pages use no memory during the import.
pub(crate) struct Parent {
    pub(crate) date: Date,
    pub(crate) rows: u64,
    pub(crate) identity: Identity,
    pub(crate) lists: Lists,
    pub(crate) list_metas: BTreeMap<List, ListMeta>,
    /// Evenly spaced rows, by rising row id.
    pub(crate) sample: Vec<SampledRow>,
}

/// A row of the previous edition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampledRow {
    pub(crate) row_id: u32,
    /// Its status and condition.
    pub(crate) state: u8,
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
            .map(|row| SampledRow { row_id: row_id_of(row.ruc), state: codes::state(&row) })
            .collect();
        let meta = edition.meta();
        let parent = Self {
            date: meta.date,
            rows: edition.rows(),
            identity: edition.identity(),
            lists: edition.lists().clone(),
            list_metas: meta.lists.clone(),
            sample,
        };
        Ok((parent, vocabulary))
    }
}
