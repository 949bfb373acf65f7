//! The values that a form may name, and how each is read from a record. A value that is not known reads as nothing.

use std::borrow::Cow;

use kuraka_domain::{Currency, Date, DayRates, OpenData, TaxpayerProfile, Ubigeo};

use super::template::Get;

/// The names of values with their readers.
pub(in crate::sources::provider_api) type Names<R> = &'static [(&'static str, Get<R>)];

/// A taxpayer to be written in a provider's form.
#[derive(Clone, Debug)]
pub struct DialectTaxpayer {
    pub profile: TaxpayerProfile,
    /// The names of the datasets that are available.
    pub datasets: Vec<&'static str>,
    /// Of the padrón's edition.
    pub updated: Date,
}

/// The exchange rate of a day, to be written in a provider's form.
#[derive(Clone, Copy, Debug)]
pub struct DialectExchangeRate {
    /// For which it is published.
    pub date: Date,
    /// Purchase and sale.
    pub rates: DayRates,
    /// Who said it.
    pub source: &'static str,
}

/// An error to be written in a provider's form.
#[derive(Clone, Debug)]
pub struct DialectError {
    pub status: u16,
    pub code: &'static str,
    pub message: Cow<'static, str>,
}

pub(in crate::sources::provider_api) const TAXPAYER: Names<DialectTaxpayer> = &[
    ("ruc", |it| one(it.profile.summary.ruc.to_string())),
    ("name", |it| one(&*it.profile.summary.name)),
    ("status", |it| one(it.profile.summary.status.as_str())),
    ("condition", |it| one(it.profile.summary.condition.as_str())),
    ("address", |it| one(if it.profile.summary.ruc.is_personal() { "" } else { &*it.profile.summary.address })),
    ("district", |it| one(it.place().and_then(Ubigeo::district).unwrap_or_default())),
    ("province", |it| one(it.place().and_then(Ubigeo::province).unwrap_or_default())),
    ("department", |it| one(it.place().map_or("", Ubigeo::department))),
    ("ubigeo", |it| it.place().map(|place| place.to_string().into()).into_iter().collect()),
    ("withholding_agent", |it| flag(it.profile.summary.withholding_agent)),
    ("good_taxpayer", |it| flag(it.profile.summary.good_taxpayer)),
    ("perception_agent", |it| it.is_on("percepcion_venta_interna")),
    ("fuel_perception_agent", |it| it.is_on("percepcion_combustibles")),
    ("taxpayer_type", |it| it.open_data(|data| one(&*data.taxpayer_type))),
    ("activities", |it| it.open_data(|data| data.activities.iter().map(|it| (&*it.description).into()).collect())),
    ("workers", |it| it.open_data(|data| data.workers.map(|count| count.to_string().into()).into_iter().collect())),
    ("issuing_system", |it| it.open_data(|data| one(&*data.issuing_system))),
    ("accounting_system", |it| it.open_data(|data| one(&*data.accounting_system))),
    ("foreign_trade", |it| it.open_data(|data| one(&*data.foreign_trade))),
    ("updated", |it| one(it.updated.to_string())),
];

pub(in crate::sources::provider_api) const EXCHANGE_RATE: Names<DialectExchangeRate> = &[
    ("date", |it| one(it.date.to_string())),
    ("purchase", |it| one(it.rates.buy.to_string())),
    ("sale", |it| one(it.rates.sell.to_string())),
    ("currency", |_| one(Currency::Usd.code())),
    ("source", |it| one(it.source)),
];

pub(in crate::sources::provider_api) const ERROR: Names<DialectError> =
    &[("message", |it| one(&*it.message)), ("status", |it| one(it.status.to_string())), ("code", |it| one(it.code))];

impl DialectTaxpayer {
    /// The district; natural persons have no public address.
    fn place(&self) -> Option<Ubigeo> {
        self.profile.summary.ubigeo.filter(|_| !self.profile.summary.ruc.is_personal())
    }

    /// Not known if the list is not available.
    fn is_on(&self, list: &str) -> Vec<Cow<'_, str>> {
        let Some(lists) = self.profile.lists.as_ref().filter(|_| self.datasets.contains(&list)) else {
            return Vec::new();
        };
        flag(lists.iter().any(|entry| entry.dataset == list))
    }

    fn open_data<'a>(&'a self, read: impl FnOnce(&'a OpenData) -> Vec<Cow<'a, str>>) -> Vec<Cow<'a, str>> {
        self.profile.open_data.as_ref().and_then(Option::as_deref).map(read).unwrap_or_default()
    }
}

fn one<'a>(text: impl Into<Cow<'a, str>>) -> Vec<Cow<'a, str>> {
    vec![text.into()]
}

fn flag<'a>(is_set: impl Into<Option<bool>>) -> Vec<Cow<'a, str>> {
    is_set.into().map(|is_set| if is_set { "SI" } else { "NO" }.into()).into_iter().collect()
}
