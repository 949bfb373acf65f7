//! One open history: verified once as a whole, then used for lookups beside calls.

use std::fmt;

use kuraka_domain::Ruc;
use smallvec::SmallVec;

use super::event::{Before, Codec, Events};
use super::facts::Facts;
use crate::Edition;
use crate::changes::EditionName;
use crate::checksum::hex;
use crate::edition::Container;
use crate::format::CorruptRow;
use crate::row_id::row_id_of;

/// States of a taxpayer. Most taxpayers have one, which takes no allocation.
pub(super) type States<T> = SmallVec<[(usize, T); 1]>;

/// States of most taxpayers with changes.
const USUAL_STATES: usize = 4;

/// A history file of a dataset that was verified and is mapped into memory.
pub struct History {
    pub(crate) container: Container,
    pub(super) facts: Facts,
    pub(super) codec: Codec,
}

impl History {
    /// The editions in the order of publication; one at least.
    #[must_use]
    pub fn editions(&self) -> &[EditionName] {
        &self.facts.editions
    }

    /// Whether an earlier edition was published, and no list of changes tells what became of it.
    #[must_use]
    pub const fn begins_after_gap(&self) -> bool {
        self.facts.begins_after_gap
    }

    /// The place of an edition among [`History::editions`]; `None` = it is not one of them.
    #[must_use]
    pub fn place_of(&self, edition: &Edition) -> Option<usize> {
        let identity = hex(edition.identity());
        let is_known = self.facts.dataset == edition.dataset().name;
        self.facts.editions.iter().rposition(|known| known.identity == identity).filter(|_| is_known)
    }

    /// Whether reading the file has failed since it was opened. From then on every lookup is an error.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.container.is_unreadable()
    }

    /// The states of a taxpayer up to the edition at the place `at`, the newest first: each with the place of the first
    /// edition that has it. `now` is the state in that edition, and `undo` returns the state before an event.
    pub(super) fn states<T>(
        &self,
        ruc: Ruc,
        at: usize,
        now: T,
        mut undo: impl FnMut(&T, Before<'_>) -> Option<T>,
    ) -> Result<States<T>, CorruptRow> {
        let row_id = row_id_of(ruc);
        let mut states = States::new();
        let mut state = now;
        if let Some((bucket, row)) = self.container.find(row_id)? {
            let damaged = || CorruptRow::near(row_id);
            let record = bucket.record(row).ok_or_else(damaged)?;
            let mut events = Events::of(record, &self.codec, self.container.words());
            // One allocation is enough for most taxpayers with changes.
            states.reserve(USUAL_STATES);
            while let Some((number, before)) = events.next().ok_or_else(damaged)? {
                // Lists of the first edition and before were removed, with their changes.
                let later = self.facts.editions.get(1..).unwrap_or_default();
                let place = later.binary_search_by_key(&u64::from(number), |edition| edition.number);
                let Ok(place) = place.map(|place| place + 1) else { continue };
                // Those after `at` were undone by a rollback, or are of an edition that is about to be published.
                if place <= at {
                    let before = undo(&state, before).ok_or_else(damaged)?;
                    states.push((place, std::mem::replace(&mut state, before)));
                }
            }
        }
        states.push((0, state));
        Ok(states)
    }
}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("History").field("facts", &self.facts).finish_non_exhaustive()
    }
}
