//! The SVG chart of an operation's 30 days: a bar per day, a segment per kind of result.

use kuraka_domain::{Date, ResultCode};

use crate::spanish;

/// The page stretches the chart; whole units are smaller than a pixel.
const WIDTH: f64 = 3_000.0;
const HEIGHT: f64 = 1_000.0;
/// The blank share of a day's width.
const GAP: f64 = 0.28;

/// Codes in few colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Found,
    /// The taxpayer or the voucher does not exist.
    Absent,
    Invalid,
    /// No source answered.
    Unknown,
    /// The server refused the call or failed.
    Refused,
}

impl Group {
    /// From the bottom of a bar up.
    pub(crate) const ALL: [Self; 5] = [Self::Found, Self::Absent, Self::Invalid, Self::Unknown, Self::Refused];

    const fn from_code(code: ResultCode) -> Self {
        match code {
            ResultCode::Found => Self::Found,
            ResultCode::DocumentNotFound => Self::Absent,
            ResultCode::InvalidInput | ResultCode::DateNotCovered | ResultCode::CursorExpired => Self::Invalid,
            ResultCode::UpstreamUnavailable => Self::Unknown,
            ResultCode::Unauthenticated
            | ResultCode::Forbidden
            | ResultCode::WatchLimitExceeded
            | ResultCode::RouteNotFound
            | ResultCode::MethodNotAllowed
            | ResultCode::PayloadTooLarge
            | ResultCode::UnsupportedMediaType
            | ResultCode::RateLimited
            | ResultCode::QuotaExceeded
            | ResultCode::ServiceUnavailable
            | ResultCode::InternalError => Self::Refused,
        }
    }

    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Found => "Encontrado",
            Self::Absent => "No existe",
            Self::Invalid => "No es válido",
            Self::Unknown => "No se pudo averiguar",
            Self::Refused => "Rechazado",
        }
    }

    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Absent => "absent",
            Self::Invalid => "invalid",
            Self::Unknown => "unknown",
            Self::Refused => "refused",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) date: Date,
    counts: [u64; Group::ALL.len()],
}

impl Day {
    pub(super) const fn empty(date: Date) -> Self {
        Self { date, counts: [0; Group::ALL.len()] }
    }

    pub(super) fn add(&mut self, code: ResultCode, count: u64) {
        for (group, sum) in Group::ALL.into_iter().zip(&mut self.counts) {
            if group == Group::from_code(code) {
                *sum = sum.saturating_add(count);
            }
        }
    }

    /// In the order of [`Group::ALL`].
    pub(super) fn parts(&self) -> impl Iterator<Item = (Group, u64)> {
        Group::ALL.into_iter().zip(self.counts)
    }

    pub(super) fn total(&self) -> u64 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

pub(super) struct Chart {
    pub(super) title: String,
    /// Of the 30 days.
    pub(super) total: String,
    /// The value of the upper line.
    pub(super) top: String,
    /// The text alternative for screen readers.
    pub(super) summary: String,
    pub(super) bars: Vec<Bar>,
}

/// A segment of a day's bar, in the chart's units.
pub(super) struct Bar {
    pub(super) class: &'static str,
    pub(super) title: String,
    pub(super) x: String,
    pub(super) y: String,
    pub(super) width: String,
    pub(super) height: String,
}

impl Chart {
    pub(super) fn new(title: &str, days: &[Day]) -> Self {
        let total: u64 = days.iter().map(Day::total).sum();
        let busiest = days.iter().max_by_key(|day| day.total());
        let top = round_up(busiest.map_or(0, Day::total));
        let step = WIDTH / days.len().max(1) as f64;
        let bars = days.iter().enumerate().flat_map(|(at, day)| stack(day, at as f64 * step, step, top)).collect();
        let summary = match busiest.filter(|day| day.total() > 0) {
            None => format!("{title}: sin consultas"),
            Some(day) => format!(
                "{title}: {} en {} días; el día con más, {}, fueron {}",
                times(total),
                days.len(),
                spanish::day(day.date),
                spanish::number(day.total())
            ),
        };
        Self { title: title.to_owned(), total: times(total), top: spanish::number(top), summary, bars }
    }
}

fn times(count: u64) -> String {
    format!("{} {}", spanish::number(count), if count == 1 { "vez" } else { "veces" })
}

/// From the bottom up.
fn stack(day: &Day, left: f64, step: f64, top: u64) -> Vec<Bar> {
    let mut below = 0;
    let mut bars = Vec::new();
    for (group, count) in day.parts().filter(|(_, count)| *count > 0) {
        below += count;
        let scale = |count: u64| count as f64 / top as f64 * HEIGHT;
        bars.push(Bar {
            class: group.class(),
            title: title(day.date, group, count),
            x: rounded(left + step * GAP / 2.0),
            y: rounded(HEIGHT - scale(below)),
            width: rounded(step * (1.0 - GAP)),
            height: rounded(scale(count)),
        });
    }
    bars
}

fn title(date: Date, group: Group, count: u64) -> String {
    format!("{}, {}: {}", spanish::short_day(date), group.title(), spanish::number(count))
}

fn rounded(length: f64) -> String {
    format!("{length:.0}")
}

/// Rounds up to one significant digit; from 10 to 20 to a multiple of 5, from 100 to 200 of 50, and so on.
fn round_up(count: u64) -> u64 {
    let power = 10_u64.pow(count.max(1).ilog10());
    let step = if power >= 10 && count / power < 2 { power / 2 } else { power };
    count.max(1).checked_next_multiple_of(step).unwrap_or(count)
}
