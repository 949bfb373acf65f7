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
        record.editions.chunk_by(move |edition, next| self.reaches(edition, next)).filter_map(move |editions| {
            let (first, last) = (editions.first()?, editions.last()?);
            Some((first.date, self.last_day(last).min(self.today)))
        })
    }

    /// Appends the uncovered days between `from` and `until`.
    pub(super) fn add_gaps(self, record: &DatasetRecord, (from, until): (Date, Date), gaps: &mut Vec<Gap>) {
        let dataset = record.dataset;
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

    /// Whether an edition covers every day up to the next edition.
    fn reaches(self, edition: &Edition, next: &Edition) -> bool {
        let Some(limit) = self.limit(edition) else { return true };
        i64::from(days(next.date) - days(edition.date)) <= i64::from(limit) + 1
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
