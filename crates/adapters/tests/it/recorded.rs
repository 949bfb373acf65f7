//! Recorded and made-up answers of a source, a folder each: `meta.json` (how it came), `response` and `expected.json`
//! (what it means). A new case is a new folder.

use std::fs;
use std::path::Path;

use kuraka_adapters::sources::Explanation;
use kuraka_domain::{Date, TaxpayerDetail};
use serde_json::{Value, json};

/// One answer.
pub(crate) struct Recorded {
    pub(crate) name: String,
    pub(crate) meta: Value,
    pub(crate) response: Vec<u8>,
    pub(crate) expected: Value,
}

/// Every answer of this source, by name.
pub(crate) fn recorded(source: &str) -> Vec<Recorded> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(source);
    let mut folders: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 20, "the recorded answers are there");
    let load = |folder: &Path| {
        let read = |file: &str| fs::read(folder.join(file)).unwrap();
        let json = |file: &str| serde_json::from_slice(&read(file)).unwrap();
        let file = ["response.json", "response.html"].into_iter().find(|file| folder.join(file).exists()).unwrap();
        Recorded {
            name: folder.file_name().unwrap().to_str().unwrap().to_owned(),
            meta: json("meta.json"),
            response: read(file),
            expected: json("expected.json"),
        }
    };
    folders.iter().map(|folder| load(folder)).collect()
}

/// An explanation as `expected.json` has it.
pub(crate) fn told(explanation: &Explanation<TaxpayerDetail>) -> Value {
    let record = explanation.record.as_ref().map(record);
    json!({ "class": explanation.class, "reason": explanation.reason, "record": record })
}

/// Every field of a record.
pub(crate) fn record(it: &TaxpayerDetail) -> Value {
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
