//! A taxpayer's state on a past day.

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
    /// The taxpayer; `None` = it is not in the edition.
    pub taxpayer: Option<TaxpayerOnDay>,
}

/// A taxpayer's state on a past day. `None` = the list's history does not cover the day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxpayerOnDay {
    /// The summary. Its flags are `false`; the fields below replace them.
    pub summary: TaxpayerSummary,
    /// Whether it was a withholding agent.
    pub withholding_agent: Option<bool>,
    /// Whether it was a good taxpayer.
    pub good_taxpayer: Option<bool>,
    /// The datasets of the lists that the taxpayer was on, among lists whose history covers the day.
    pub lists: Vec<&'static str>,
    /// Whether SUNAT had declared it without operating capacity.
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
