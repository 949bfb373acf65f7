//! An open history.

use std::path::{Path, PathBuf};

use kuraka_domain::Ruc;
use smallvec::SmallVec;

use super::error::HistoryError;
use super::event::take_event;
use super::facts::Facts;
use crate::Edition;
use crate::block_file::{BlockError, BlockFile, FileKind};
use crate::changes::{ChangeKind, EditionName};
use crate::checksum::hex;
use crate::dataset::Dataset;
use crate::folder::Folder;
use crate::row_id::row_id_of;

pub(super) const KIND: FileKind = FileKind { magic: *b"\x89KURHIS\n", name: "history" };

/// Most taxpayers have one state, which takes no allocation.
pub(super) type States<T> = SmallVec<[(usize, T); 1]>;

#[derive(Debug)]
pub struct History {
    pub(super) file: BlockFile,
    pub(super) facts: Facts,
    /// Natural persons whose past is not kept, by rising RUC.
    forgotten: Vec<Ruc>,
}

impl History {
    /// In the order of publication; at least one.
    pub fn editions(&self) -> &[EditionName] {
        &self.facts.editions
    }

    /// Whether an earlier edition was published whose changes are unknown.
    pub const fn begins_after_gap(&self) -> bool {
        self.facts.begins_after_gap
    }

    /// The edition's place among [`History::editions`]; `None` = it is not there.
    pub fn place_of(&self, edition: &Edition) -> Option<usize> {
        let identity = hex(edition.identity());
        let is_known = self.facts.dataset == edition.dataset().name;
        self.facts.editions.iter().rposition(|known| known.identity == identity).filter(|_| is_known)
    }

    /// Whether a taxpayer's past was [forgotten](crate::forget).
    pub fn has_forgotten(&self, ruc: Ruc) -> bool {
        self.forgotten.binary_search(&ruc).is_ok()
    }

    /// Opens and verifies the history of `dataset`, reading all of it.
    ///
    /// # Errors
    /// [`BlockError`]; a file that was cut, grown or changed by a single bit is refused. [`BlockError::File`] if there
    /// is none.
    pub fn open(registry: &Path, dataset: &'static Dataset) -> Result<Self, BlockError> {
        let forgotten = Folder::new(registry, dataset).forgotten()?;
        Ok(Self { forgotten, ..Self::open_file(dataset, &Self::path(registry, dataset))? })
    }

    pub(super) fn open_file(dataset: &'static Dataset, path: &Path) -> Result<Self, BlockError> {
        let (file, facts): (BlockFile, Facts) = BlockFile::open(path, KIND)?;
        let is_of_dataset = facts.dataset == dataset.name && dataset.history.is_some_and(|own| facts.fields == own);
        match is_of_dataset && !facts.editions.is_empty() {
            true => Ok(Self { file, facts, forgotten: Vec::new() }),
            false => Err(file.damaged("it is of another dataset, or has other fields")),
        }
    }

    /// The path of the file, whether it exists or not.
    pub fn path(registry: &Path, dataset: &'static Dataset) -> PathBuf {
        Folder::new(registry, dataset).history()
    }

    /// The states up to the edition at `at`, newest first, each with the place of the first edition that has it. `now`
    /// is the state at `at`; `undo` returns the state before a change.
    pub(super) fn states<T>(
        &self,
        ruc: Ruc,
        at: usize,
        now: T,
        mut undo: impl FnMut(&T, ChangeKind) -> Option<T>,
    ) -> Result<States<T>, HistoryError> {
        let row = self.file.get(row_id_of(ruc))?.unwrap_or_default();
        let (mut rest, mut states, mut state) = (row.as_slice(), States::new(), now);
        let damaged = || self.file.damaged("a row cannot be read");
        let later = self.facts.editions.get(1..).unwrap_or_default();
        while !rest.is_empty() {
            let (number, change) = take_event(&mut rest, self.facts.fields.len()).ok_or_else(damaged)?;
            // Lists up to the first edition were removed, with their changes.
            let place = later.binary_search_by_key(&u64::from(number), |edition| edition.number);
            let Ok(place) = place.map(|place| place + 1) else { continue };
            // Later ones were undone by a rollback, or are of an edition that is about to be published.
            if place <= at {
                let before = undo(&state, change).ok_or_else(damaged)?;
                states.push((place, std::mem::replace(&mut state, before)));
            }
        }
        states.push((0, state));
        Ok(states)
    }
}
