//! The publications of one dataset, and the place of a cursor among them.

use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_ports::{FeedCursor, FeedPosition};
use kuraka_registry::changes::{Publication, Publications, date_of};
use kuraka_registry::dataset::{Dataset, RecordForm};

/// A dataset's publications.
pub(super) struct Track {
    pub(super) dataset: &'static Dataset,
    pub(super) publications: Arc<Publications>,
}

/// Why a cursor has no place.
pub(super) enum Missing {
    /// Its edition is not published here yet.
    NotYet,
    /// The record does not reach back to it, or there is a gap behind it.
    NotRecorded,
}

impl Track {
    /// The publication after the cursor.
    pub(super) fn after(&self, cursor: &FeedCursor) -> Result<usize, Missing> {
        let next = match cursor.position(self.dataset.name) {
            // There was no edition.
            None => 0,
            Some(position) => self.after_position(position)?,
        };
        if next < self.after_gap() { Err(Missing::NotRecorded) } else { Ok(next) }
    }

    fn after_position(&self, position: &FeedPosition) -> Result<usize, Missing> {
        let Publications { start: Some(start), steps } = &*self.publications else { return Err(Missing::NotYet) };
        let number = (position.number, position.undone);
        let is_same = |step: &Publication| (step.number, step.undone) == number && step.label == position.label;
        if let Some(at) = steps.iter().position(is_same) {
            return Ok(at + 1);
        }
        if *start == position.label && (number == (0, 0) || steps.iter().all(|step| step.number != number.0)) {
            return Ok(0);
        }
        let is_later = match steps.last() {
            Some(last) => number > (last.number, last.undone),
            None => date_of(&position.label) > date_of(start),
        };
        if is_later {
            return Err(Missing::NotYet);
        }
        // An operator rolled back on another server, where a later edition is current now: the list is told again.
        let is_before = |step: &Publication| (step.number, step.undone) < number && step.label == position.label;
        steps.iter().rposition(is_before).map(|at| at + 1).ok_or(Missing::NotRecorded)
    }

    /// Whether there is such a publication.
    pub(super) fn has(&self, next: usize) -> bool {
        next < self.publications.steps.len()
    }

    /// The position before the publication `next`; `None` = there is no edition.
    pub(super) fn before(&self, next: usize) -> Option<FeedPosition> {
        let dataset = self.dataset.name.to_owned();
        let step = next.checked_sub(1).and_then(|last| self.publications.steps.get(last));
        let (number, undone, label) = match step {
            Some(step) => (step.number, step.undone, &step.label),
            None => (0, 0, self.publications.start.as_ref()?),
        };
        Some(FeedPosition { dataset, number, undone, label: label.clone() })
    }

    /// The position behind all publications; `None` = there is no edition.
    pub(super) fn last(&self) -> Option<FeedPosition> {
        self.before(self.publications.steps.len())
    }

    /// The first publication of this date or later.
    pub(super) fn since(&self, date: Date) -> usize {
        let (steps, after_gap) = (&self.publications.steps, self.after_gap());
        let later = steps.iter().skip(after_gap).position(|step| step.date().is_some_and(|found| found >= date));
        later.map_or(steps.len(), |later| after_gap + later)
    }

    /// The first publication after the last gap.
    pub(super) fn after_gap(&self) -> usize {
        self.publications.steps.iter().rposition(|step| step.list.is_none()).map_or(0, |gap| gap + 1)
    }
}

/// The first date that a cursor can begin at: the first edition of the padrón's record, or the last edition behind a gap in
/// any dataset's record. `None` = there is no edition.
pub(super) fn first_date(tracks: &[Track]) -> Option<Date> {
    let first = |track: &Track| {
        let gap = track.after_gap().checked_sub(1).and_then(|gap| track.publications.steps.get(gap));
        let start = || track.publications.start.as_deref().filter(|_| track.dataset.records == RecordForm::Summary);
        gap.and_then(Publication::date).or_else(|| date_of(start()?))
    };
    tracks.iter().filter_map(first).max()
}
