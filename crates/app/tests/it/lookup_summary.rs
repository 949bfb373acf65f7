//! Lookups of a summary: what an edition answers, and what it proves.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{AbsenceRule, Grant, LookupError, LookupSummary};
use kuraka_domain::{Date, DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary, Ubigeo};
use kuraka_ports::fake::ScriptedRegistry;
use kuraka_ports::{Edition, EditionOrigin, SourceErrorKind};

use crate::fixture::{TestApp, plan};

pub(crate) fn known() -> Ruc {
    Ruc::parse("20100119227").unwrap()
}

pub(crate) fn unknown() -> Ruc {
    Ruc::parse("20131312955").unwrap()
}

pub(crate) fn taxpayer() -> TaxpayerSummary {
    TaxpayerSummary {
        ruc: known(),
        name: "3M PERU S A".to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: String::new(),
        ubigeo: Ubigeo::parse("150131").ok(),
        withholding_agent: true,
        good_taxpayer: false,
    }
}

pub(crate) fn edition(origin: EditionOrigin) -> Edition {
    Edition {
        label: "2026-11-20-0a1b2c3d".into(),
        date: Date::parse("2026-11-20").unwrap(),
        origin,
        rows: 1,
        lists: vec!["withholding", "good_taxpayers"],
    }
}

pub(crate) async fn admitted() -> (TestApp, Grant) {
    let app = TestApp::with(&[plan("free", 1_000, 5, 10)]).await;
    let grant = app.admit(app.caller().await.unwrap()).await.unwrap();
    (app, grant)
}

fn lookup(app: &TestApp, registry: ScriptedRegistry, max_age_days: Option<u32>) -> LookupSummary {
    LookupSummary::new(Arc::new(registry), AbsenceRule::new(app.clock.clone(), max_age_days))
}

#[tokio::test]
async fn a_fresh_edition_finds_a_ruc_or_confirms_its_absence() {
    let (app, grant) = admitted().await;
    let registry = ScriptedRegistry::with(edition(EditionOrigin::Published), [taxpayer()]);
    let lookup = lookup(&app, registry, Some(7));
    assert_eq!(lookup.run(&grant, known()).unwrap().taxpayer, Some(taxpayer()));
    let missed = lookup.run(&grant, unknown()).unwrap();
    assert!(missed.taxpayer.is_none());
    assert_eq!(&*missed.edition.label, "2026-11-20-0a1b2c3d");
}

#[tokio::test]
async fn an_old_edition_cannot_confirm_an_absence() {
    let (app, grant) = admitted().await;
    let registry = ScriptedRegistry::with(edition(EditionOrigin::Published), [taxpayer()]);
    let lookup = lookup(&app, registry, Some(7));
    app.clock.advance(Duration::from_secs(7 * 86_400));
    assert!(lookup.run(&grant, unknown()).unwrap().taxpayer.is_none(), "seven days are not more than seven");
    app.clock.advance(Duration::from_secs(86_400));
    assert!(lookup.run(&grant, known()).unwrap().taxpayer.is_some());
    let error = lookup.run(&grant, unknown()).unwrap_err();
    assert!(matches!(error, LookupError::StaleMiss { age_days: 8, .. }), "{error:?}");
}

#[tokio::test]
async fn a_sample_or_an_unlimited_age_never_gets_too_old() {
    let (app, grant) = admitted().await;
    app.clock.advance(Duration::from_secs(1_000 * 86_400));
    let sample = ScriptedRegistry::with(edition(EditionOrigin::Sample), []);
    assert!(lookup(&app, sample, Some(7)).run(&grant, unknown()).unwrap().taxpayer.is_none());
    let published = ScriptedRegistry::with(edition(EditionOrigin::Published), []);
    assert!(lookup(&app, published, None).run(&grant, unknown()).unwrap().taxpayer.is_none());
}

#[tokio::test]
async fn no_edition_and_a_damaged_row_are_errors() {
    let (app, grant) = admitted().await;
    let none = lookup(&app, ScriptedRegistry::empty(), Some(7)).run(&grant, known()).unwrap_err();
    assert!(matches!(none, LookupError::NoEdition));
    let registry = ScriptedRegistry::with(edition(EditionOrigin::Published), [taxpayer()]);
    registry.fail(known(), SourceErrorKind::Unreadable);
    let damaged = lookup(&app, registry, Some(7)).run(&grant, known()).unwrap_err();
    assert!(matches!(damaged, LookupError::Registry(error) if error.kind == SourceErrorKind::Unreadable));
}
