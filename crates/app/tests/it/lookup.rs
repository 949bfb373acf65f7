//! Lookups: what an edition answers, what it proves, and how old it may be.

mod absence;
mod detail;
mod exchange_rate;
mod history;
mod search;
mod taxpayer;

use std::sync::Arc;

use kuraka_app::{AgeLimits, ChargedCall};
use kuraka_domain::{Date, DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary, Ubigeo};
use kuraka_ports::fake::ManualClock;
use kuraka_ports::{Edition, EditionOrigin, SnapshotDataset, dataset};

use crate::fixture::{TestApp, plan};

/// The label of the padrón's edition.
const LABEL: &str = "2026-11-20-0a1b2c3d";
/// The age limits of the tests, in days.
const LIMITS: [(&str, u32); 4] =
    [(dataset::PADRON, 7), (dataset::ANNEXES, 30), (dataset::OPERATING_CAPACITY, 120), (dataset::OPEN_DATA, 75)];

fn known() -> Ruc {
    Ruc::parse("20100119227").unwrap()
}

fn unknown() -> Ruc {
    Ruc::parse("20131312955").unwrap()
}

fn taxpayer() -> TaxpayerSummary {
    TaxpayerSummary {
        ruc: known(),
        name: "3M PERU S A".to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: String::new(),
        ubigeo: Ubigeo::parse("150131").ok(),
        withholding_agent: Some(true),
        good_taxpayer: Some(false),
    }
}

/// A published edition with this label.
fn edition(label: &str) -> Edition {
    let date = Date::parse(&label[..10]).unwrap();
    Edition { label: label.into(), digest: None, date, origin: EditionOrigin::Published, rows: 1 }
}

/// The sample with this label.
fn sample(label: &str) -> Edition {
    Edition { origin: EditionOrigin::Sample, ..edition(label) }
}

/// A published edition of this age in days.
fn aged(days: i32) -> Edition {
    let today = Date::parse(&LABEL[..10]).unwrap().days_since_epoch();
    edition(&format!("{}-00000003", Date::from_days_since_epoch(today - days).unwrap()))
}

/// A dataset that answers from this edition.
fn answering(name: &'static str, edition: Edition) -> SnapshotDataset {
    SnapshotDataset { name, edition: Some(Arc::new(edition)), is_damaged: false }
}

fn limits(clock: &Arc<ManualClock>) -> AgeLimits {
    AgeLimits::new(clock.clone(), LIMITS)
}

/// An application whose day is that of [`LABEL`], and the call of a call.
async fn admitted() -> (TestApp, ChargedCall) {
    let app = TestApp::with(&[plan("free", 1_000, 5, 10)]).await;
    let call = app.admit(app.caller().await.unwrap()).await.unwrap();
    (app, call)
}
