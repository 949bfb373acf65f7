//! Adds up the hours of all servers. It is kept in memory and follows the store, so that the report outlives an outage of
//! it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use kuraka_domain::Date;
use kuraka_ports::{CallCounts, MeasuredHour, MeasuredHours, StoreError};

use super::{DAYS_MEASURED, MINUTES, minute_of};
use crate::calendar;

const MINUTES_OF_DAY: i64 = 24 * MINUTES;
/// Longer than an hour is shown, so that a clock that is a year ahead deletes no hour of the report.
const DAYS_KEPT: i32 = DAYS_MEASURED + 366;
/// In one statement, which returns an hour of each server.
const DAYS_AT_ONCE: usize = 10;

/// The last 90 days, by days since 1970-01-01.
#[derive(Default)]
pub struct History {
    days: BTreeMap<i32, Day>,
    /// When everything was last read.
    read: Option<Timestamp>,
}

/// A day in Peru.
#[derive(Default)]
struct Day {
    /// Bits of the minutes in which a server lived, and of those in which an operation failed.
    hours: BTreeMap<i64, (u64, u64)>,
    subjects: BTreeMap<String, CallCounts>,
}

/// Availability and times until the beginning of a minute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceReport {
    /// `None` = nothing was read yet.
    pub until: Option<Timestamp>,
    /// From the first day that was measured on.
    pub days: Vec<ServiceDay>,
    pub subjects: BTreeMap<String, CallCounts>,
}

/// Minutes of a day, or of the part of it in which the service existed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceDay {
    pub date: Date,
    pub ok: u64,
    /// At least half of five or more calls of an operation failed at a server.
    pub bad: u64,
    /// No server lived.
    pub unmeasured: u64,
}

impl History {
    /// Follows the store: reads yesterday and today, and after midnight all days. Deletes hours that
    /// are a year older than these.
    ///
    /// # Errors
    /// [`StoreError`]; the report stays as it was.
    pub async fn read(&mut self, store: &dyn MeasuredHours, now: Timestamp) -> Result<(), StoreError> {
        let today = calendar::today(now).days_since_epoch();
        let first = today - DAYS_MEASURED + 1;
        let is_new_day = self.read.is_none_or(|read| calendar::today(read).days_since_epoch() != today);
        // Not at the start, when the time may be wrong.
        if is_new_day && self.read.is_some() {
            store.forget_hours(first_hour(today - DAYS_KEPT + 1)).await?;
        }
        for from in (if is_new_day { first } else { today - 1 }..=today).step_by(DAYS_AT_ONCE) {
            let until = (from + DAYS_AT_ONCE as i32).min(today + 1);
            let mut days: BTreeMap<i32, Day> = (from..until).map(|day| (day, Day::default())).collect();
            for hour in store.hours(first_hour(from), first_hour(until)).await? {
                let day = days.iter_mut().rev().find(|(day, _)| first_hour(**day) <= hour.hour);
                day.into_iter().for_each(|(_, day)| day.add(&hour));
            }
            self.days.append(&mut days);
        }
        self.days.retain(|day, _| (first..=today).contains(day));
        self.read = Some(now);
        Ok(())
    }

    /// What was last read, without the minute that was running then.
    pub fn report(&self) -> ServiceReport {
        let mut report = ServiceReport { until: self.read, ..ServiceReport::default() };
        let (Some(read), Some(first)) = (self.read, self.days.values().find_map(Day::first_minute)) else {
            return report;
        };
        let until = minute_of(read);
        for (number, day) in &self.days {
            let starts = first_hour(*number) * MINUTES;
            let minutes = (starts + MINUTES_OF_DAY).min(until) - starts.max(first);
            for (subject, counts) in &day.subjects {
                report.subjects.entry(subject.clone()).or_default().add(counts);
            }
            if let Some(date) = Date::from_days_since_epoch(*number).filter(|_| starts + MINUTES_OF_DAY > first) {
                let (ok, bad) = day.minutes(until);
                let unmeasured = minutes.max(0).unsigned_abs().saturating_sub(ok + bad);
                report.days.push(ServiceDay { date, ok, bad, unmeasured });
            }
        }
        report
    }
}

impl Day {
    fn add(&mut self, row: &MeasuredHour) {
        let (lived, bad) = self.hours.entry(row.hour).or_default();
        *lived |= row.minutes;
        for (subject, counts) in &row.subjects {
            if subject.starts_with('/') {
                *bad |= counts.bad_minutes;
            }
            self.subjects.entry(subject.clone()).or_default().add(counts);
        }
    }

    fn first_minute(&self) -> Option<i64> {
        let (hour, (lived, _)) = self.hours.first_key_value()?;
        Some(hour * MINUTES + i64::from(lived.trailing_zeros()))
    }

    /// Good and bad ones before `until`.
    fn minutes(&self, until: i64) -> (u64, u64) {
        let count = |bits: u64| u64::from(bits.count_ones());
        let counts = self.hours.iter().map(|(hour, (lived, bad))| {
            let past = (1 << (until - hour * MINUTES).clamp(0, MINUTES)) - 1;
            (count(lived & !bad & past), count(lived & bad & past))
        });
        counts.fold((0, 0), |(ok, bad), (more_ok, more_bad)| (ok + more_ok, bad + more_bad))
    }
}

impl ServiceReport {
    /// The part of the calls that did not fail, times the part of the minutes that were measured; `None` = no minute is
    /// over.
    pub fn availability(&self, subject: &str) -> Option<f64> {
        let (mut measured, mut all) = (0, 0);
        for day in &self.days {
            measured += day.ok + day.bad;
            all += day.ok + day.bad + day.unmeasured;
        }
        let counts = self.subjects.get(subject).filter(|counts| counts.calls > 0);
        let answered = counts.map_or(1.0, |counts| 1.0 - counts.failed as f64 / counts.calls as f64);
        (all > 0).then(|| answered * measured as f64 / all as f64)
    }

    /// The milliseconds within which this part of the calls ended, as far as the bounds tell; `None` = there was none.
    pub fn millis(&self, subject: &str, part: f64) -> Option<f64> {
        let times = &self.subjects.get(subject)?.times;
        let rank = times.values().sum::<u64>() as f64 * part;
        let (mut below, mut from) = (0.0, 0.0);
        for (bound, count) in times.iter().filter(|_| rank > 0.0) {
            let (count, to) = (*count as f64, if *bound == u64::MAX { from } else { *bound as f64 });
            if below + count >= rank {
                return Some((from + (to - from) * (rank - below) / count) / 1_000.0);
            }
            (below, from) = (below + count, to);
        }
        None
    }
}

/// Of a day in Peru.
const fn first_hour(day: i32) -> i64 {
    day as i64 * 24 + Date::PERU_BEHIND_UTC / 3_600
}
