//! A recorded answer is a folder: `response.html`, `meta.json` (how it came), `expected.json` (what it is).
//! A new case is a new folder.

use std::fs;
use std::path::{Path, PathBuf};

use kuraka_adapters::sources::sunat_portal::explain;
use kuraka_domain::{Date, Ruc, TaxpayerDetail};
use serde_json::{Value, json};

/// One recorded answer.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) ruc: Ruc,
    pub(super) body: Vec<u8>,
    pub(super) content_type: Option<String>,
    folder: PathBuf,
}

impl Case {
    /// An answer that is not among the recorded ones.
    pub(super) fn unrecorded(name: &str, ruc: Ruc, body: Vec<u8>) -> Self {
        Self { name: name.to_owned(), ruc, body, content_type: None, folder: PathBuf::new() }
    }
}

/// Every recorded answer, by name.
pub(super) fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sunat_portal");
    let mut folders: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.into_iter().map(Case::open).collect()
}

/// The recorded answer of this name.
pub(super) fn case(name: &str) -> Case {
    cases().into_iter().find(|case| case.name == name).expect(name)
}

impl Case {
    fn open(folder: PathBuf) -> Self {
        let meta = read_json(&folder.join("meta.json"));
        Self {
            name: folder.file_name().unwrap().to_str().unwrap().to_owned(),
            ruc: Ruc::parse(meta["ruc"].as_str().unwrap()).unwrap(),
            body: fs::read(folder.join("response.html")).unwrap(),
            content_type: meta["content_type"].as_str().map(str::to_owned),
            folder,
        }
    }
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every field of a record.
fn record(record: &TaxpayerDetail) -> Value {
    let TaxpayerDetail {
        ruc,
        name,
        status,
        condition,
        full_address,
        taxpayer_type,
        registered,
        activities,
        trade_name,
        activities_started,
        deregistered,
        issuing_system,
        foreign_trade,
        accounting_system,
        authorised_vouchers,
        electronic_issuing,
        padrones,
    } = record;
    let date = |date: &Option<Date>| date.map(|date| date.to_string());
    json!({
        "ruc": ruc.to_string(),
        "name": name,
        "status": status.as_str(),
        "condition": condition.as_str(),
        "full_address": full_address,
        "taxpayer_type": taxpayer_type,
        "registered": date(registered),
        "activities": activities
            .iter()
            .map(|activity| json!([activity.rank.as_str(), activity.ciiu, activity.description]))
            .collect::<Vec<_>>(),
        "trade_name": trade_name,
        "activities_started": date(activities_started),
        "deregistered": date(deregistered),
        "issuing_system": issuing_system,
        "foreign_trade": foreign_trade,
        "accounting_system": accounting_system,
        "authorised_vouchers": authorised_vouchers,
        "electronic_issuing": {
            "systems": electronic_issuing.systems,
            "since": date(&electronic_issuing.since),
            "vouchers": electronic_issuing.vouchers,
            "electronic_books_since": date(&electronic_issuing.electronic_books_since),
        },
        "padrones": padrones,
    })
}

#[test]
fn every_recorded_answer_reads_as_its_folder_says() {
    let cases = cases();
    assert!(cases.len() >= 20, "the recorded answers are there");
    for case in cases {
        let explanation = explain(&case.body, case.content_type.as_deref(), case.ruc);
        let found = json!({
            "class": explanation.class,
            "reason": explanation.reason,
            "record": explanation.record.as_ref().map(record),
        });
        assert_eq!(found, read_json(&case.folder.join("expected.json")), "{}", case.name);
    }
}
