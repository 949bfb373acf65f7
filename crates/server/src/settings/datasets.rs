//! The datasets' settings, common and of each.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use kuraka_domain::{DatasetRole, Date};
use kuraka_registry::dataset::{self, Dataset, with_month};
use kuraka_registry::months::Month;

use super::error::{Origin, SettingsError};
use super::sections::{AllDatasets, ExchangeRates, OneDataset, OpenData};
use super::values::{Values, row};

/// Common settings are fields, settings of one dataset are methods.
#[derive(Clone, Debug)]
pub struct Datasets {
    /// The settings of all datasets.
    pub all: AllDatasets,
    /// The central bank's series, if requested.
    pub series_url: Option<String>,
    /// The first month of the open data that the server reads, 24 months back if it is not said; `None` = it reads none.
    pub backfill_from: Option<Option<Month>>,
    /// Whether the server removes old changes and downloads; `false` = it writes nothing there.
    pub is_swept: bool,
    each: BTreeMap<&'static str, OneDataset>,
    /// The datasets with the built-in address.
    built_in: BTreeSet<&'static str>,
}

impl Deref for Datasets {
    type Target = AllDatasets;

    fn deref(&self) -> &AllDatasets {
        &self.all
    }
}

impl Datasets {
    pub(super) fn read(values: &Values) -> Result<Self, SettingsError> {
        for key in values.names_below("datasets.").into_iter().map(|name| format!("datasets.{name}")) {
            if let (None, Err(error)) = (row(&key), dataset::named(key.trim_start_matches("datasets."))) {
                return Err(SettingsError::Unknown { origin: values.origin(&key), key, hint: error.to_string() });
            }
        }
        let all: AllDatasets = values.section("datasets.")?;
        let one = |dataset: &'static Dataset| {
            let prefix = format!("datasets.{}.", dataset.name);
            let one: OneDataset = values.section(&prefix)?;
            if one.sha256_url.is_some() && (all.builder_url.is_none() || !dataset.has_editions()) {
                return Err(values.invalid(
                    &(prefix + "sha256_url"),
                    "empty, unless datasets.builder_url is set and the dataset has editions",
                ));
            }
            Ok((dataset.name, one))
        };
        let each = dataset::described().map(one).collect::<Result<_, _>>()?;
        let is_built_in = |name: &&str| matches!(values.origin(&format!("datasets.{name}.url")), Origin::Default);
        let built_in = dataset::described().map(|dataset| dataset.name).filter(is_built_in).collect();
        let ExchangeRates { series_url } = values.section("datasets.tipo_de_cambio.")?;
        let OpenData { backfill_from } = values.section("datasets.datos_abiertos.")?;
        Ok(Self { all, series_url, backfill_from, is_swept: true, each, built_in })
    }

    /// `datasets.<name>.url`; empty = not downloaded. `{AAAAMM}` stands for a month.
    pub fn url(&self, dataset: &Dataset) -> &str {
        self.each.get(dataset.name).and_then(|one| one.url.as_deref()).unwrap_or_default()
    }

    /// The URL to try if no TLS connection can be made; only for a built-in address, because a set one is used as
    /// written.
    pub fn plain_url(&self, dataset: &Dataset) -> Option<&'static str> {
        dataset.plain_address.filter(|_| self.built_in.contains(dataset.name) && self.url(dataset) == dataset.address)
    }

    /// `datasets.<name>.max_age_days`; `None` = any age.
    pub fn max_age_days(&self, dataset: &Dataset) -> Option<u32> {
        self.each.get(dataset.name)?.max_age_days
    }

    /// `datasets.<name>.sha256_url`; `None` = no checksum is required.
    pub fn sha256_url(&self, dataset: &Dataset) -> Option<&str> {
        self.each.get(dataset.name)?.sha256_url.as_deref()
    }

    /// The dataset's edition at the builder, if there is one.
    pub fn edition_url(&self, dataset: &Dataset) -> Option<String> {
        Some(format!("{}/{}", self.builder_url.as_ref()?.trim_end_matches('/'), dataset.name))
    }

    /// The address of past months and the first that a server reads by itself, if it reads those of this dataset.
    pub fn past_months(&self, dataset: &Dataset, today: Date) -> Option<(String, Month)> {
        // A builder is not asked for months, and an address without a month has one file only.
        let has_months = self.builder_url.is_none() && with_month(self.url(dataset), "").is_some();
        let from = self.backfill_from.filter(|_| has_months && dataset.role == DatasetRole::OpenData)?;
        let two_years_ago = || Month::from_date(Date::new(today.year() - 2, today.month(), 1).ok()?);
        Some((self.url(dataset).to_owned(), from.or_else(two_years_ago)?))
    }

    /// Whether the dataset is enabled.
    pub fn is_enabled(&self, dataset: &Dataset) -> bool {
        self.enabled.iter().any(|enabled| enabled.name == dataset.name)
    }
}
