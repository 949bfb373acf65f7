//! What a taxpayer was on a day in the past.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{TaxpayerProfile, TaxpayerSummary};
use crate::Date;

/// The padrón on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnDay {
    /// The day.
    pub date: Date,
    /// The label of the edition that covers it.
    pub edition: Arc<str>,
    /// The taxpayer; `None` = the edition does not have it.
    pub taxpayer: Option<TaxpayerOnDay>,
}

/// A taxpayer on a day. `None` = the list's record does not cover the day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxpayerOnDay {
    /// The summary. Its flags are `false`; see the fields below.
    pub summary: TaxpayerSummary,
    /// Whether it was a withholding agent.
    pub withholding_agent: Option<bool>,
    /// Whether it was a good taxpayer.
    pub good_taxpayer: Option<bool>,
    /// The datasets of the lists that it was on and whose record covers the day.
    pub lists: Vec<&'static str>,
    /// Whether it had been declared without operating capacity.
    pub without_capacity: Option<bool>,
}

/// What is known of a taxpayer of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListedTaxpayer {
    /// As it is.
    Now(TaxpayerProfile),
    /// As it was on a day.
    OnDay(OnDay),
}
