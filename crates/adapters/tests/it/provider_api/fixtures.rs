//! Recorded and made-up answers, a folder each: `meta.json` has the provider and the request, `expected.json` the meaning.

use std::fs;
use std::path::{Path, PathBuf};

use kuraka_adapters::sources::Explanation;
use kuraka_adapters::sources::provider_api::{ProviderSpec, explain, preset};
use kuraka_domain::{Date, Ruc, TaxpayerDetail};
use serde_json::{Value, json};

/// One answer.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) provider: String,
    pub(super) spec: ProviderSpec,
    pub(super) status: u16,
    pub(super) ruc: Ruc,
    pub(super) response: Vec<u8>,
    pub(super) expected: Value,
}

impl Case {
    fn load(folder: &Path) -> Self {
        let read =
            |file: &str| fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{folder:?}/{file}: {error}"));
        let meta: Value = serde_json::from_slice(&read("meta.json")).unwrap();
        let provider = meta["provider"].as_str().unwrap();
        Self {
            name: folder.file_name().unwrap().to_str().unwrap().to_owned(),
            provider: provider.to_owned(),
            spec: spec(provider),
            status: meta["status"].as_u64().unwrap().try_into().unwrap(),
            ruc: meta["ruc"].as_str().unwrap().parse().unwrap(),
            response: read("response.json"),
            expected: serde_json::from_slice(&read("expected.json")).unwrap(),
        }
    }

    /// What these bytes would be read as, were they the answer.
    pub(super) fn explain(&self, bytes: &[u8]) -> Explanation<TaxpayerDetail> {
        explain(&self.spec, bytes, self.status, self.ruc)
    }
}

/// Every case, by name.
pub(super) fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/provider_api");
    let mut folders: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.iter().map(|folder| Case::load(folder)).collect()
}

/// A preset, understood.
pub(super) fn spec(name: &str) -> ProviderSpec {
    let preset = preset(name).unwrap_or_else(|| panic!("no preset {name}"));
    ProviderSpec::parse(preset.name, preset.text).unwrap()
}

/// An explanation as `expected.json` has it.
pub(super) fn told(explanation: &Explanation<TaxpayerDetail>) -> Value {
    let record = explanation.record.as_ref().map(record);
    json!({ "class": explanation.class, "reason": explanation.reason, "record": record })
}

/// Every field of a record.
pub(super) fn record(it: &TaxpayerDetail) -> Value {
    let day = |date: Option<Date>| date.map(|date| date.to_string());
    let activities = it.activities.iter().map(|it| json!([it.rank.as_str(), it.ciiu, it.description]));
    json!({
        "ruc": it.ruc.to_string(),
        "name": it.name,
        "status": it.status.as_str(),
        "condition": it.condition.as_str(),
        "full_address": it.full_address,
        "taxpayer_type": it.taxpayer_type,
        "registered": day(it.registered),
        "activities": activities.collect::<Vec<_>>(),
        "trade_name": it.trade_name,
        "activities_started": day(it.activities_started),
        "deregistered": day(it.deregistered),
        "issuing_system": it.issuing_system,
        "foreign_trade": it.foreign_trade,
        "accounting_system": it.accounting_system,
        "authorised_vouchers": it.authorised_vouchers,
        "electronic_systems": it.electronic_issuing.systems,
        "electronic_since": day(it.electronic_issuing.since),
        "electronic_vouchers": it.electronic_issuing.vouchers,
        "electronic_books_since": day(it.electronic_issuing.electronic_books_since),
        "padrones": it.padrones,
    })
}
