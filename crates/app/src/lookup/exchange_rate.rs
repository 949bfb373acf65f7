//! The exchange rate of a day by the tax authority's rule: the close of the last business day before it.
//!
//! A holiday and an unpublished day look alike in the central bank's series, so a rate is carried over a weekday only
//! if the bank has a later close; over a weekend always. An undecided day has no rate.

use kuraka_domain::{Date, DayRates};
use kuraka_ports::{ExchangeRateRecord, Period};
use thiserror::Error;

use crate::calendar;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatesOnDay {
    pub date: Date,
    pub rates: DayRates,
    /// The day of the close, if known.
    pub close: Option<Date>,
    pub source: RateSource,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateSource {
    /// The tax authority's own text.
    Sunat,
    /// The central bank's series, by the rule.
    Bcrp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ExchangeRateError {
    #[error("the record does not cover {0}")]
    NotCovered(Date),
    #[error("the rate of {0} is not known yet")]
    NotKnownYet(Date),
    #[error("{0} is in the future")]
    Future(Date),
    #[error("there is no record of the exchange rates")]
    NoRecord,
}

impl RateSource {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sunat => "SUNAT",
            Self::Bcrp => "BCRP",
        }
    }
}

/// # Errors
/// [`ExchangeRateError`] if they are not known.
pub fn rates_on(record: &ExchangeRateRecord, date: Date, today: Date) -> Result<RatesOnDay, ExchangeRateError> {
    known(record, date, true).map_err(|error| if date > today { ExchangeRateError::Future(date) } else { error })
}

/// A month's known days, ascending.
///
/// # Errors
/// [`ExchangeRateError`] if none is known.
pub fn rates_in(record: &ExchangeRateRecord, month: Period, today: Date) -> Result<Vec<RatesOnDay>, ExchangeRateError> {
    rates_between(record, calendar::days_of(month), today)
}

/// The known days of a period, ascending.
///
/// # Errors
/// [`ExchangeRateError`] if none is known.
pub fn rates_between(
    record: &ExchangeRateRecord,
    (first, last): (Date, Date),
    today: Date,
) -> Result<Vec<RatesOnDay>, ExchangeRateError> {
    let days = (first.days_since_epoch()..=last.days_since_epoch()).filter_map(Date::from_days_since_epoch);
    let known: Vec<_> = days.filter_map(|date| rates_on(record, date, today).ok()).collect();
    if known.is_empty() { rates_on(record, first, today).map(|day| vec![day]) } else { Ok(known) }
}

/// The days up to `today` whose rates are known, as periods, the oldest first.
pub fn covered_rates(record: &ExchangeRateRecord, today: Date) -> Vec<(Date, Date)> {
    let first = record.published.keys().chain(record.closes.keys().next()).min();
    let days = first.map_or(0..0, |first| first.days_since_epoch()..today.days_since_epoch() + 1);
    let is_known = |date: &Date| said(record, *date, true).is_ok();
    let known: Vec<_> = days.filter_map(Date::from_days_since_epoch).filter(is_known).collect();
    let periods = known.chunk_by(|one, next| one.days_since_epoch() + 1 == next.days_since_epoch());
    periods.filter_map(|period| Some((*period.first()?, *period.last()?))).collect()
}

/// The days on which the central bank's series contradicts the tax authority's text, which counts.
pub fn disagreements(record: &ExchangeRateRecord) -> impl Iterator<Item = Date> + '_ {
    let differs = |(date, rates): (&Date, &DayRates)| {
        known(record, *date, false).is_ok_and(|derived| derived.rates != *rates).then_some(*date)
    };
    record.published.iter().filter_map(differs)
}

/// The rates of a day, from texts and series, or the series alone.
fn known(record: &ExchangeRateRecord, date: Date, with_texts: bool) -> Result<RatesOnDay, ExchangeRateError> {
    let (day, rates, source) = said(record, date, with_texts)?;
    let close = match source {
        RateSource::Sunat => close_before(record, day, rates),
        RateSource::Bcrp => Some(day),
    };
    Ok(RatesOnDay { date, rates, close, source })
}

/// The rates of a day, their source, and the day of the text or the close that has them.
fn said(
    record: &ExchangeRateRecord,
    date: Date,
    with_texts: bool,
) -> Result<(Date, DayRates, RateSource), ExchangeRateError> {
    let last = record.closes.iter().rev().find(|(_, close)| close.is_some()).map(|(day, _)| *day);
    let mut day = date;
    loop {
        if let Some(&rates) = record.published.get(&day).filter(|_| with_texts) {
            return Ok((day, rates, RateSource::Sunat));
        }
        let before = previous(day).ok_or(ExchangeRateError::NotCovered(date))?;
        let is_settled = last > Some(before);
        match record.closes.get(&before) {
            Some(&Some(rates)) => return Ok((before, rates, RateSource::Bcrp)),
            // A holiday, or a weekend.
            Some(None) if is_settled => {}
            None if before.is_weekend() => {}
            None if is_settled || before <= ExchangeRateRecord::BEFORE_FIRST => {
                return Err(ExchangeRateError::NotCovered(date));
            }
            Some(None) | None => return Err(ExchangeRateError::NotKnownYet(date)),
        }
        day = before;
    }
}

/// The day of the close behind the tax authority's rates: by the series, or, before it is known, the previous weekday
/// if its rates differ.
fn close_before(record: &ExchangeRateRecord, date: Date, rates: DayRates) -> Option<Date> {
    if let Ok(RatesOnDay { close, .. }) = known(record, date, false) {
        return close;
    }
    let mut weekday = previous(date)?;
    while weekday.is_weekend() {
        weekday = previous(weekday)?;
    }
    let earlier = record.published.get(&weekday).copied();
    let earlier = earlier.or_else(|| known(record, weekday, false).ok().map(|day| day.rates))?;
    (earlier != rates).then_some(weekday)
}

fn previous(date: Date) -> Option<Date> {
    Date::from_days_since_epoch(date.days_since_epoch() - 1)
}
