//! The publications of each dataset, and the place of a cursor among them.

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::Date;
use kuraka_ports::{FeedCursor, FeedError, FeedPage, FeedPosition};
use kuraka_registry::changes::{Publication, Publications, date_of};
use kuraka_registry::dataset::{Dataset, RecordForm};

/// A dataset's publications.
pub(super) struct Track {
    pub(super) dataset: &'static Dataset,
    pub(super) publications: Arc<Publications>,
}

/// Why a cursor has no place.
enum Missing {
    /// Its edition is not published here yet.
    NotYet,
    /// The record does not reach back to it, or there is a gap behind it.
    NotRecorded,
}

/// What is behind a cursor.
pub(super) enum Next {
    /// The next publication of each track.
    Publications(Vec<usize>),
    /// Nothing is published here: the empty page.
    Empty(FeedPage),
}

/// What is behind a cursor in these tracks.
pub(super) fn next(tracks: &[Track], after: &FeedCursor, new_since: Timestamp) -> Result<Next, FeedError> {
    let end = |next, is_last| Ok(Next::Empty(FeedPage { changes: Vec::new(), next, is_last }));
    let next: Result<Vec<usize>, _> = tracks.iter().map(|track| track.after(after, new_since)).collect();
    match next {
        // Another server has it already.
        Err(Missing::NotYet) => end(after.clone(), false),
        Ok(_) if after.within.as_ref().is_some_and(|within| !has(tracks, &within.dataset)) => end(after.clone(), false),
        Err(Missing::NotRecorded) => Err(FeedError::NotRecorded { since: first_date(tracks) }),
        Ok(next) if tracks.iter().zip(&next).all(|(track, next)| *next >= track.publications.steps.len()) => {
            end(cursor(tracks, &next, after), true)
        }
        Ok(next) => Ok(Next::Publications(next)),
    }
}

/// The cursor before these publications, with the positions of `after` in datasets that have no track.
pub(super) fn cursor(tracks: &[Track], next: &[usize], after: &FeedCursor) -> FeedCursor {
    let positions = tracks.iter().zip(next).filter_map(|(track, next)| track.before(*next));
    FeedCursor { positions: positions.chain(others(tracks, after)).collect(), within: None }
}

/// The positions of a cursor in datasets that have no track.
pub(super) fn others<'a>(tracks: &'a [Track], cursor: &'a FeedCursor) -> impl Iterator<Item = FeedPosition> + 'a {
    cursor.positions.iter().filter(|position| !has(tracks, &position.dataset)).cloned()
}

/// Whether a dataset has a track.
fn has(tracks: &[Track], dataset: &str) -> bool {
    tracks.iter().any(|track| track.dataset.name == dataset)
}

impl Track {
    /// The publication after the cursor.
    fn after(&self, cursor: &FeedCursor, new_since: Timestamp) -> Result<usize, Missing> {
        let steps = &self.publications.steps;
        let is_earlier = |step: &Publication| i128::from(step.written) < i128::from(new_since.as_second());
        let next = match cursor.position(self.dataset.name) {
            // There was no edition.
            None => steps.iter().rposition(is_earlier).map_or(0, |last| last + 1),
            Some(position) => self.after_position(position)?,
        };
        if next < self.after_gap() {
            return Err(Missing::NotRecorded);
        }
        match cursor.within.as_ref().filter(|within| within.dataset == self.dataset.name) {
            None => Ok(next),
            Some(within) => match steps.get(next) {
                None => Err(Missing::NotYet),
                Some(step) if step.label == within.label => Ok(next),
                // A builder's list replaced the one that was being told.
                Some(_) => Err(Missing::NotRecorded),
            },
        }
    }

    fn after_position(&self, position: &FeedPosition) -> Result<usize, Missing> {
        let Publications { start: Some(start), steps } = &*self.publications else { return Err(Missing::NotYet) };
        let (number, is_start) = ((position.number, position.undone), *start == position.label);
        let of = |step: &Publication| (step.number, step.undone);
        let has_label = |step: &Publication| step.label == position.label;
        if let Some(at) = steps.iter().position(|step| of(step) == number && has_label(step)) {
            return Ok(at + 1);
        }
        // Nothing was published after it, or the lists before it were removed.
        if is_start && (number == (0, 0) || steps.first().is_none_or(|first| number.0 < first.number)) {
            return Ok(0);
        }
        // An operator rolled back on another server, where a later edition is current now: the list is told again. Or the
        // numbers are of lists that a builder's have replaced, and the edition is in the builder's record too.
        let before = steps.iter().rposition(|step| of(step) < number && has_label(step));
        let known = before.or_else(|| steps.iter().rposition(has_label)).map(|at| at + 1);
        let known = known.or(is_start.then_some(0));
        // A number far above the last one belongs to lists that were replaced. Each rollback may have undone one list more:
        // waiting for them delays changes at most, and not waiting would tell them twice.
        let (is_later, is_near) = match steps.last() {
            Some(last) => (number > of(last), number.0 <= last.number.saturating_add(1 + u64::from(position.undone))),
            None => (position.undone > 0 || date_of(&position.label) > date_of(start), true),
        };
        match known {
            // The publication that is not here yet returns to a known edition, by a rollback or with force.
            Some(next) if !is_later || !is_near => Ok(next),
            _ if is_later => Err(Missing::NotYet),
            _ => Err(Missing::NotRecorded),
        }
    }

    /// For a cursor that has no place because it is not recorded: the position that misses the least and repeats the least.
    /// `None` = the cursor has a place, or will have.
    pub(super) fn recovered(&self, cursor: &FeedCursor, new_since: Timestamp) -> Option<FeedPosition> {
        let Err(Missing::NotRecorded) = self.after(cursor, new_since) else { return None };
        let position = cursor.position(self.dataset.name);
        let next = position.map_or(0, |position| match self.after_position(position) {
            Ok(next) => next,
            Err(_) => date_of(&position.label).map_or(0, |date| self.since(date)),
        });
        self.before(next.max(self.after_gap()))
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
    fn after_gap(&self) -> usize {
        self.publications.steps.iter().rposition(|step| step.list.is_none()).map_or(0, |gap| gap + 1)
    }

    /// The first date from which on every change is recorded: the day after the last one with a publication whose list is
    /// missing. `None` = the first edition is known, and before it there was nothing to tell.
    fn first_date(&self) -> Option<Date> {
        let Publications { start, steps } = &*self.publications;
        let (start, gap) = (date_of(start.as_deref()?), self.after_gap());
        let is_cut = gap > 0 || steps.first().is_some_and(|first| first.number > 1);
        let lost = steps.iter().take(gap).map(Publication::date).chain([start.filter(|_| is_cut)]).flatten().max();
        match lost {
            Some(lost) => Date::from_days_since_epoch(lost.days_since_epoch() + 1),
            None => start.filter(|_| self.dataset.records == RecordForm::Summary),
        }
    }
}

/// The first date that a cursor can begin at: the first edition of the padrón's record, or the first one from which on every
/// dataset's changes are recorded. `None` = there is no edition.
pub(super) fn first_date(tracks: &[Track]) -> Option<Date> {
    tracks.iter().filter_map(Track::first_date).max()
}
