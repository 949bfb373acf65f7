//! Settings of the datasets: which are enabled, where their files are published, and how long changes are kept.

use std::collections::{BTreeMap, BTreeSet};

use kuraka_registry::dataset::{self, BUENOS_CONTRIBUYENTES, Dataset, PADRON, RETENCION};

use super::keys::url_of;
use super::{Origin, SettingsError, Values, url};

const ENABLED: &str = "datasets.enabled";
/// The value that enables every dataset.
const ALL: &str = "all";
/// Settings of before there were datasets. One that is set takes precedence over `datasets.<name>.url`.
const OLDER: [(&str, &str); 3] = [
    (PADRON.name, "registry.padron_url"),
    (RETENCION.name, "registry.withholding_url"),
    (BUENOS_CONTRIBUYENTES.name, "registry.good_taxpayers_url"),
];

/// The datasets that this server has.
#[derive(Clone, Debug)]
pub struct Datasets {
    /// `datasets.enabled`, in the catalogue's order. The padrón and the lists of its flags are always among them.
    pub enabled: Vec<&'static Dataset>,
    /// `datasets.changes_kept_days`: how long a recorded change is kept.
    pub changes_kept_days: u32,
    addresses: BTreeMap<&'static str, Address>,
}

/// Where a dataset's file is published.
#[derive(Clone, Debug)]
struct Address {
    url: String,
    is_default: bool,
}

impl Datasets {
    /// `datasets.<name>.url`; empty = the file is not downloaded. `{AAAAMM}` stands for a month.
    #[must_use]
    pub fn url(&self, dataset: &Dataset) -> &str {
        self.addresses.get(dataset.name).map_or("", |address| &address.url)
    }

    /// Whether the operator set the address.
    #[must_use]
    pub fn has_own_url(&self, dataset: &Dataset) -> bool {
        self.addresses.get(dataset.name).is_some_and(|address| !address.is_default)
    }

    /// Whether the dataset is enabled.
    #[must_use]
    pub fn is_enabled(&self, dataset: &Dataset) -> bool {
        self.enabled.iter().any(|enabled| enabled.name == dataset.name)
    }
}

/// `datasets`.
pub(super) fn datasets(values: &Values) -> Result<Datasets, SettingsError> {
    let address = |dataset: &Dataset| {
        let key = key_of(values, dataset);
        let is_default = values.origin(&key) == Origin::Default;
        Ok((dataset.name, Address { url: url(values, &key)?, is_default }))
    };
    Ok(Datasets {
        enabled: enabled(values)?,
        changes_kept_days: values.parsed("datasets.changes_kept_days", "a number of days")?,
        addresses: dataset::ALL.into_iter().map(address).collect::<Result<_, _>>()?,
    })
}

/// The setting with a dataset's address.
fn key_of(values: &Values, dataset: &Dataset) -> String {
    let older = OLDER.iter().find(|(name, _)| *name == dataset.name).map(|(_, key)| *key);
    let set = older.filter(|key| values.origin(key) != Origin::Default);
    set.map_or_else(|| url_of(dataset.name), str::to_owned)
}

fn enabled(values: &Values) -> Result<Vec<&'static Dataset>, SettingsError> {
    let names: BTreeSet<String> = values.list(ENABLED)?.into_iter().collect();
    if names.iter().any(|name| name != ALL && dataset::named(name).is_err()) {
        let known = dataset::ALL.map(|dataset| dataset.name).join(", ");
        return Err(values.invalid(ENABLED, &format!("{ALL}, or names of datasets; the datasets are {known}")));
    }
    // Without its lists, the padrón's flags would stay as they are for ever.
    let always = [PADRON.name, RETENCION.name, BUENOS_CONTRIBUYENTES.name];
    let is_enabled =
        |dataset: &&Dataset| names.contains(ALL) || names.contains(dataset.name) || always.contains(&dataset.name);
    Ok(dataset::ALL.into_iter().filter(is_enabled).collect())
}
