//! The exchange rates as their sources said them.

use std::collections::BTreeMap;
use std::sync::Arc;

use kuraka_domain::{Date, DayRates};

use crate::Edition;

/// Everything that was read from the sources. What follows from it for a day is a rule of the use cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeRateRecord {
    /// Names this content. Its date is the last known day, and its rows are the days.
    pub edition: Arc<Edition>,
    /// The tax authority's own text, by the day that the text names.
    pub published: BTreeMap<Date, DayRates>,
    /// The bank supervisor's closes as the central bank publishes them. `None` = the bank answered that there is none: the
    /// day is a holiday, or not published yet.
    pub closes: BTreeMap<Date, Option<DayRates>>,
}
