//! The publications of each dataset, and the place of a cursor among them.

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::{DatasetRole, Date};
use kuraka_ports::{FeedCursor, FeedError, FeedPage, FeedPosition};
use kuraka_registry::changes::{Publication, Publications, Published};
use kuraka_registry::dataset::Dataset;

/// An unknown checksum in a cursor.
const UNKNOWN: &str = "0";

/// Publications that another server can be ahead: a week's. A higher number is of another change log, whose numbers
/// this one may never reach.
const AHEAD: u64 = 8;

pub(super) struct Track {
    pub(super) dataset: &'static Dataset,
    pub(super) publications: Arc<Publications>,
}

enum Missing {
    /// Its edition is not published here yet.
    NotYet,
    /// The change log does not reach back to it, or has a gap behind it.
    NotRecorded,
}

pub(super) enum Next {
    /// The next publication of each track.
    Publications(Vec<usize>),
    /// Nothing is published here.
    Empty(FeedPage),
}

pub(super) fn next(tracks: &[Track], after: &FeedCursor, new_since: Timestamp) -> Result<Next, FeedError> {
    let end = |next, is_last| Ok(Next::Empty(FeedPage { changes: Vec::new(), next, is_last, blocks: 0 }));
    let next: Result<Vec<usize>, _> = tracks.iter().map(|track| track.after(after, new_since)).collect();
    match next {
        // Another server has it.
        Err(Missing::NotYet) => end(after.clone(), false),
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

pub(super) fn others<'a>(tracks: &'a [Track], cursor: &'a FeedCursor) -> impl Iterator<Item = FeedPosition> + 'a {
    cursor.positions.iter().filter(|position| !has(tracks, &position.dataset)).cloned()
}

pub(super) fn has(tracks: &[Track], dataset: &str) -> bool {
    tracks.iter().any(|track| track.dataset.name == dataset)
}

impl Track {
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
                Some(step) if step.to.label == within.label => Ok(next),
                // A builder's list replaced the one that was being read.
                Some(_) => Err(Missing::NotRecorded),
            },
        }
    }

    /// The publication after a position. If its number is another edition's here, another server's change log has
    /// replaced the cursor's, and reading resumes behind its edition.
    fn after_position(&self, position: &FeedPosition) -> Result<usize, Missing> {
        let editions: Vec<&Published> = self.publications.editions().collect();
        let last = editions.last().ok_or(Missing::NotYet)?;
        let is_edition = |edition: &Published| {
            let own = short(&edition.identity);
            edition.label == position.label
                && (own == position.identity || [own, &position.identity].contains(&UNKNOWN))
        };
        if let Some(at) = editions.iter().position(|edition| edition.number == position.number && is_edition(edition)) {
            return Ok(at);
        }
        match editions.iter().position(|edition| edition.label == position.label) {
            // Another server has the publication, which may have returned to an edition known here.
            known
                if (last.number.saturating_add(1)..=last.number.saturating_add(AHEAD)).contains(&position.number)
                    && (known.is_none() || editions.iter().any(|edition| is_edition(edition))) =>
            {
                Err(Missing::NotYet)
            }
            Some(at) => Ok(at),
            None => Err(Missing::NotRecorded),
        }
    }

    /// For a cursor that is not recorded: the position that skips and repeats the least. `None` = the cursor has a
    /// place, or will have one.
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
        let Published { number, label, identity } = self.publications.editions().nth(next)?.clone();
        let (dataset, identity) = (self.dataset.name.to_owned(), short(&identity).to_owned());
        Some(FeedPosition { dataset, number, label, identity })
    }

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
        self.publications.steps.iter().rposition(Publication::is_gap).map_or(0, |gap| gap + 1)
    }

    /// The first date from which every change is recorded: the day after the last publication without a list, else the
    /// padrón's first edition. `None` = there is no edition, or it is another dataset without a gap.
    fn first_date(&self) -> Option<Date> {
        let Publications { start, steps } = &*self.publications;
        let (start, gap) = (start.as_ref()?, self.after_gap());
        let is_cut = gap > 0 || (start.number > 1 && !steps.is_empty());
        let first = Some(start).filter(|_| is_cut).and_then(Published::date);
        match steps.iter().take(gap).map(Publication::date).chain([first]).flatten().max() {
            Some(lost) => Date::from_days_since_epoch(lost.days_since_epoch() + 1),
            None => start.date().filter(|_| self.dataset.role == DatasetRole::Summary),
        }
    }
}

/// The digits of a checksum that a cursor stores.
fn short(identity: &str) -> &str {
    identity.get(..8).unwrap_or(UNKNOWN)
}

/// The date in the label of an edition, which may not be here.
fn date_of(label: &str) -> Option<Date> {
    label.get(..10).and_then(|date| Date::parse(date).ok())
}

/// The first date at which a cursor can begin: the padrón's first edition, or the first date from which every dataset's
/// changes are recorded. `None` = the padrón has no edition here, and no other dataset's changes have a gap.
pub(super) fn first_date(tracks: &[Track]) -> Option<Date> {
    tracks.iter().filter_map(Track::first_date).max()
}
