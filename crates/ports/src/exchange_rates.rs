//! The exchange rates as their sources said them.

use std::collections::BTreeMap;
use std::sync::Arc;

use kuraka_domain::{Date, DayRates};

use crate::Edition;

/// What was read from the sources. The use cases derive the rate of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeRateRecord {
    /// Its date is the last known day, its rows are the days.
    pub edition: Arc<Edition>,
    /// The tax authority's text, by the day that it names.
    pub published: BTreeMap<Date, DayRates>,
    /// The bank supervisor's closes, from the central bank. `None` = the bank answered that there is none: a holiday,
    /// or not published yet.
    pub closes: BTreeMap<Date, Option<DayRates>>,
}

impl ExchangeRateRecord {
    /// The day before the first one of the central bank's series.
    pub const BEFORE_FIRST: Date = match Date::new(1997, 1, 1) {
        Ok(date) => date,
        Err(_) => Date::MIN,
    };
}
