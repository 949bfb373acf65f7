//! The contract suites, run against the fakes.

use std::sync::Arc;

use kuraka_domain::{
    AnnexPremises, Date, DomicileCondition, ListMembership, Ruc, TaxpayerProfile, TaxpayerStatus, TaxpayerSummary,
    Ubigeo,
};
use kuraka_ports::contract::clock::{Running, wait};
use kuraka_ports::contract::registry::Filled;
use kuraka_ports::contract::samples::{NOW, accepted, detail, voucher};
use kuraka_ports::contract::taxpayer_source::Working;
use kuraka_ports::contract::voucher_validator as validation;
use kuraka_ports::fake::{ManualClock, MemoryStore, ScriptedRegistry, ScriptedSource, ScriptedValidator, TokioClock};
use kuraka_ports::{DetailOrigin, Edition, EditionOrigin, SnapshotDataset, SourceErrorKind, dataset};

kuraka_ports::contract!(store, MemoryStore, store());

mod manual_clock {
    kuraka_ports::contract!(clock, super::ManualClock, super::manual_clock());
}

mod tokio_clock {
    kuraka_ports::contract!(clock, super::TokioClock, super::tokio_clock());
}

mod taxpayer_source {
    kuraka_ports::contract!(taxpayer_source, super::ScriptedSource, super::source());
}

mod voucher_validator {
    kuraka_ports::contract!(voucher_validator, super::ScriptedValidator, super::validator());
}

mod registry {
    kuraka_ports::contract!(registry, super::ScriptedRegistry, super::filled());
}

fn store() -> (Arc<MemoryStore>, ()) {
    (Arc::new(MemoryStore::new()), ())
}

fn manual_clock() -> (Running<ManualClock>, ()) {
    (Running { clock: Arc::new(ManualClock::at(NOW)), pass: ManualClock::advance }, ())
}

fn tokio_clock() -> (Running<TokioClock>, ()) {
    (Running { clock: Arc::new(TokioClock::at(NOW)), pass: wait }, ())
}

fn filled() -> (Filled<ScriptedRegistry>, ()) {
    let known = vec![company("20131312955", "UNO S.A."), company("20100070970", "DOS S.A.")];
    let registry = Arc::new(ScriptedRegistry::empty());
    let label = "2026-11-20-00000000";
    registry.publish_all(edition(label), known.iter().map(profile), [annexes_of(None)]);
    let absent = "20100017491";
    let publish_next = Box::new(move |registry: &ScriptedRegistry| {
        registry.publish(edition("2026-11-21-00000000"), [company(absent, "TRES S.A.")]);
    });
    let annexes: Vec<_> = ["AV. UNO NRO. 2", "JR. DOS NRO. 3"]
        .map(|address| AnnexPremises { address: address.to_owned(), ubigeo: Ubigeo::parse("150131").ok() })
        .into();
    let of_each = [annexes.clone(), Vec::new()];
    let taxpayers = known.clone();
    let publish_annexes = Box::new(move |registry: &ScriptedRegistry| {
        let with_annexes = |(taxpayer, annexes): (&_, &Vec<_>)| TaxpayerProfile {
            annex_count: Some(annexes.len()),
            annexes: Some(annexes.clone()),
            ..profile(taxpayer)
        };
        let profiles = taxpayers.iter().zip(&of_each).map(with_annexes);
        registry.publish_all(edition(label), profiles, [annexes_of(Some(Arc::new(edition(label))))]);
    });
    let absent = Ruc::parse(absent).unwrap();
    let empty = Arc::new(ScriptedRegistry::empty());
    (Filled { registry, known, absent, publish_next, publish_annexes, annexes, empty }, ())
}

/// What the padrón and the list of good taxpayers say.
fn profile(taxpayer: &TaxpayerSummary) -> TaxpayerProfile {
    let (dataset, title) = ("buenos_contribuyentes", "Buenos contribuyentes");
    let list = ListMembership { dataset, title, since: None, resolution: String::new() };
    TaxpayerProfile { lists: Some(vec![list]), ..TaxpayerProfile::from_summary(taxpayer.clone()) }
}

fn annexes_of(edition: Option<Arc<Edition>>) -> SnapshotDataset {
    SnapshotDataset { name: dataset::ANNEXES, edition, is_damaged: false }
}

fn source() -> (Working<ScriptedSource>, ()) {
    let known = vec![detail("20131312955", "UNO S.A."), detail("20100070970", "DOS S.A.")];
    let source = ScriptedSource::new("page", DetailOrigin::Official).with(known.clone());
    let failing = (Ruc::parse("20100128056").unwrap(), SourceErrorKind::Unreadable);
    source.fail_for(failing.0, failing.1);
    let absent = Ruc::parse("20100017491").unwrap();
    (Working { source: Arc::new(source), known, absent, failing, origin: DetailOrigin::Official }, ())
}

fn validator() -> (validation::Working<ScriptedValidator>, ()) {
    let known: Vec<_> = [voucher(1), voucher(2)].into_iter().map(|voucher| (voucher, accepted(&voucher))).collect();
    let source = ScriptedValidator::new("validator").with(known.clone());
    let failing = (voucher(3), SourceErrorKind::Unreadable);
    let rejected = (voucher(4), ScriptedValidator::REASON);
    source.fail_for(failing.0, failing.1);
    source.fail_for(rejected.0, SourceErrorKind::Rejected);
    (validation::Working { source: Arc::new(source), known, unknown: voucher(5), failing, rejected }, ())
}

pub(crate) fn company(ruc: &str, name: &str) -> TaxpayerSummary {
    TaxpayerSummary {
        ruc: Ruc::parse(ruc).unwrap(),
        name: name.to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: "AV. UNO NRO. 1".to_owned(),
        ubigeo: Ubigeo::parse("150131").ok(),
        withholding_agent: Some(false),
        good_taxpayer: Some(true),
    }
}

pub(crate) fn edition(label: &str) -> Edition {
    Edition {
        label: label.into(),
        digest: None,
        date: Date::new(2026, 11, 20).unwrap(),
        origin: EditionOrigin::Published,
        rows: 2,
    }
}
