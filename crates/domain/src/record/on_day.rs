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
    /// The covering edition's label.
    pub edition: Arc<str>,
    /// `None` = it is not in the edition.
    pub taxpayer: Option<TaxpayerOnDay>,
}

/// `None` = the list's history does not cover the day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxpayerOnDay {
    /// With the flags of the day.
    pub summary: TaxpayerSummary,
    /// Lists that it was on, of those whose history covers the day, by dataset.
    pub lists: Vec<&'static str>,
    /// Whether SUNAT had declared it without operating capacity.
    pub without_capacity: Option<bool>,
}

/// A taxpayer of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListedTaxpayer {
    /// As it is.
    Now(TaxpayerProfile),
    /// As it was on a day.
    OnDay(OnDay),
}
