//! The days that a dataset's editions cover: each covers its own day and those up to the next edition, at most as many
//! as its age limit, and none after today.

use kuraka_domain::Date;
use kuraka_ports::{DatasetRecord, Edition, EditionOrigin};

/// How long an edition covers the days after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coverage {
    /// `None` = no limit.
    pub(super) days: Option<u32>,
    pub(super) today: Date,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    pub dataset: &'static str,
    pub from: Date,
    pub until: Date,
    pub reason: GapReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapReason {
    /// No edition was imported, or the previous edition is too old.
    NoEdition,
    /// There were editions, but no recorded changes connect them to the present ones.
    NoChanges,
}

impl Coverage {
    pub(super) fn place_on(self, record: &DatasetRecord, date: Date) -> Option<usize> {
        let place = record.editions.partition_point(|edition| edition.date <= date).checked_sub(1)?;
        let edition = record.editions.get(place)?;
        (date <= self.today && date <= self.last_day(edition)).then_some(place)
    }

    /// The covered periods, the oldest first.
    pub(super) fn periods(self, record: &DatasetRecord) -> impl Iterator<Item = (Date, Date)> {
        let editions = &record.editions;
        // Years have hundreds of weekends.
        let holes = if self.is_gap(record, record.longest_hole) { record.holes.as_slice() } else { &[] };
        let ends = holes.iter().filter(move |(_, apart)| self.is_gap(record, *apart)).map(|(place, _)| *place);
        let mut first = 0;
        ends.chain(editions.len().checked_sub(1)).filter_map(move |place| {
            let start = editions.get(std::mem::replace(&mut first, place + 1))?.date;
            let last = self.last_day(editions.get(place)?);
            Some((start, if place + 1 == editions.len() { last.min(self.today) } else { last }))
        })
    }

    /// Appends the uncovered days between `from` and `until`.
    pub(super) fn add_gaps(self, record: &DatasetRecord, (from, until): (Date, Date), gaps: &mut Vec<Gap>) {
        let dataset = record.dataset;
        // Usually all days are covered, and the calendar is not needed.
        if let (Some(first), Some(last)) = (record.editions.first(), record.editions.last())
            && first.date <= from
            && until <= self.today
            && (until <= last.date || until <= self.last_day(last))
            && !self.is_gap(record, record.longest_hole)
        {
            return;
        }
        let mut reason = if record.begins_after_gap { GapReason::NoChanges } else { GapReason::NoEdition };
        // The first day that may be uncovered.
        let mut next = Some(from);
        for (first, last) in self.periods(record) {
            let Some(open) = next.filter(|open| *open <= until) else { return };
            if open < first {
                let until = day(days(first) - 1).unwrap_or(first).min(until);
                gaps.push(Gap { dataset, from: open, until, reason });
            }
            reason = GapReason::NoEdition;
            if last >= until {
                return;
            }
            next = day(days(last) + 1).map(|after| after.max(open));
        }
        gaps.extend(next.filter(|open| *open <= until).map(|from| Gap { dataset, from, until, reason }));
    }

    /// Whether some days between two editions so many days `apart` are uncovered.
    fn is_gap(self, record: &DatasetRecord, apart: u32) -> bool {
        let limit = record.editions.first().and_then(|edition| self.limit(edition));
        limit.is_some_and(|limit| apart > limit.saturating_add(1))
    }

    fn last_day(self, edition: &Edition) -> Date {
        let limit = self.limit(edition);
        let last = limit.and_then(|limit| day(days(edition.date).checked_add(i32::try_from(limit).ok()?)?));
        last.unwrap_or(Date::MAX)
    }

    /// Days after its own that an edition covers; `None` = all. A sample never ages.
    fn limit(self, edition: &Edition) -> Option<u32> {
        self.days.filter(|_| edition.origin == EditionOrigin::Published)
    }
}

const fn days(date: Date) -> i32 {
    date.days_since_epoch()
}

fn day(days: i32) -> Option<Date> {
    Date::from_days_since_epoch(days)
}
