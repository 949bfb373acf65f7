//! Details from the sources, and from the open data when no source answers.

use std::sync::Arc;

use kuraka_app::{DetailResult, LookupDetail, LookupTaxpayer, VerifyAbsence};
use kuraka_domain::{
    ActivityRank, Date, DomicileCondition, EconomicActivity, OpenData, Ruc, TaxpayerProfile, TaxpayerStatus,
};
use kuraka_ports::contract::samples::detail;
use kuraka_ports::fake::{ScriptedRegistry, ScriptedSource};
use kuraka_ports::{DetailOrigin, Edition, ProfileParts, SourceErrorKind, TaxpayerSource, dataset};

use super::{LABEL, admitted, aged, answering, edition, known, limits, sample, taxpayer, unknown};
use crate::fixture::TestApp;

/// Every kind of a source's failure.
const FAILURES: [SourceErrorKind; 8] = [
    SourceErrorKind::Unavailable,
    SourceErrorKind::Throttled { retry_after: None },
    SourceErrorKind::Refused,
    SourceErrorKind::Credentials,
    SourceErrorKind::Unreadable,
    SourceErrorKind::Rejected,
    SourceErrorKind::HeldBack,
    SourceErrorKind::UnverifiedAbsence,
];

fn activity(rank: ActivityRank, description: &str) -> EconomicActivity {
    EconomicActivity { rank, ciiu: String::new(), description: description.to_owned() }
}

fn open_data() -> OpenData {
    OpenData {
        month: Date::parse("2026-10-01").unwrap(),
        taxpayer_type: "SOCIEDAD ANONIMA".to_owned(),
        activities: vec![
            activity(ActivityRank::Principal, "ELABORACIÓN DE PAN"),
            activity(ActivityRank::Secondary, "VENTA DE PAN"),
        ],
        workers: Some(7),
        issuing_system: "MANUAL".to_owned(),
        accounting_system: "COMPUTARIZADO".to_owned(),
        foreign_trade: "IMPORTADOR".to_owned(),
    }
}

/// A padrón with the known taxpayer; `data` is what the open data says about it.
fn registry(data: Option<Option<OpenData>>) -> Arc<ScriptedRegistry> {
    with_editions(edition(LABEL), aged(50), data)
}

/// A registry of these editions of the padrón and the open data.
fn with_editions(padron: Edition, open_data: Edition, data: Option<Option<OpenData>>) -> Arc<ScriptedRegistry> {
    let registry = ScriptedRegistry::empty();
    let profile =
        TaxpayerProfile { open_data: data.map(|data| data.map(Box::new)), ..TaxpayerProfile::from_summary(taxpayer()) };
    registry.publish_all(padron, [profile], [answering(dataset::OPEN_DATA, open_data)]);
    Arc::new(registry)
}

/// A registry that has everything, in which these parts cannot be read.
fn damaged_in(parts: ProfileParts) -> Arc<ScriptedRegistry> {
    let registry = whole();
    registry.damage(parts);
    registry
}

fn whole() -> Arc<ScriptedRegistry> {
    registry(Some(Some(open_data())))
}

fn page() -> Arc<ScriptedSource> {
    Arc::new(ScriptedSource::new("page", DetailOrigin::Official))
}

fn lookup(app: &TestApp, source: Arc<dyn TaxpayerSource>, registry: Arc<ScriptedRegistry>) -> LookupDetail {
    LookupDetail::new(source, Some(Arc::new(LookupTaxpayer::new(registry, limits(&app.clock)))))
}

#[tokio::test]
async fn the_open_data_answers_after_any_failure_of_the_sources() {
    let (app, call) = admitted().await;
    for kind in FAILURES {
        let page = page();
        page.fail(kind);
        let result = lookup(&app, page.clone(), whole()).run(&call, known()).await.unwrap();
        let DetailResult::OpenData { taxpayer, edition } = result else { panic!("{kind:?}") };
        assert_eq!(edition.label, aged(50).label, "the open data's");
        assert_eq!(taxpayer.ruc, known());
    }
}

#[tokio::test]
async fn an_answer_from_the_open_data_has_every_field_that_the_files_tell() {
    let (app, call) = admitted().await;
    let page = page();
    page.fail(SourceErrorKind::Unavailable);
    let result = lookup(&app, page.clone(), whole()).run(&call, known()).await.unwrap();
    let DetailResult::OpenData { taxpayer, .. } = result else { panic!("{result:?}") };
    assert_eq!(taxpayer.name, "3M PERU S A");
    assert_eq!((&taxpayer.status, &taxpayer.condition), (&TaxpayerStatus::Active, &DomicileCondition::Found));
    assert_eq!(taxpayer.full_address, "SAN ISIDRO - LIMA - LIMA");
    assert_eq!(taxpayer.taxpayer_type, "SOCIEDAD ANONIMA");
    let activities: Vec<_> = taxpayer.activities.iter().map(|a| (a.rank, &*a.ciiu, &*a.description)).collect();
    let expected = [(ActivityRank::Principal, "", "ELABORACIÓN DE PAN"), (ActivityRank::Secondary, "", "VENTA DE PAN")];
    assert_eq!(activities, expected);
    let systems = [&*taxpayer.issuing_system, &*taxpayer.accounting_system, &*taxpayer.foreign_trade];
    assert_eq!(systems, ["MANUAL", "COMPUTARIZADO", "IMPORTADOR"]);
    // What the files do not tell is empty, not made up.
    assert_eq!((taxpayer.registered, taxpayer.activities_started, taxpayer.deregistered), (None, None, None));
    assert!(taxpayer.trade_name.is_empty() && taxpayer.padrones.is_empty() && taxpayer.authorised_vouchers.is_empty());
}

#[tokio::test]
async fn a_not_found_that_stands_is_not_overridden() {
    let (app, call) = admitted().await;
    let result = lookup(&app, page(), whole()).run(&call, known()).await.unwrap();
    assert!(matches!(result, DetailResult::Source(answer) if answer.taxpayer.is_none()));
}

#[tokio::test]
async fn a_not_found_that_the_registry_contradicts_is_answered_from_the_open_data() {
    let (app, call) = admitted().await;
    let verified = Arc::new(VerifyAbsence::new(page(), whole(), limits(&app.clock)));
    let result = lookup(&app, verified, whole()).run(&call, known()).await.unwrap();
    assert!(matches!(result, DetailResult::OpenData { .. }), "{result:?}");
}

#[tokio::test]
async fn the_sources_failure_stays_where_the_open_data_does_not_know_the_taxpayer() {
    let (app, call) = admitted().await;
    let damaged = whole();
    damaged.fail(known(), SourceErrorKind::Unreadable);
    let cases: [(&str, Arc<ScriptedRegistry>, Ruc); 6] = [
        ("not in the padrón", whole(), unknown()),
        ("not in the open data", registry(Some(None)), known()),
        ("no open data", registry(None), known()),
        ("no padrón", Arc::new(ScriptedRegistry::empty()), known()),
        ("a damaged row", damaged, known()),
        ("damaged open data", damaged_in(ProfileParts::OPEN_DATA), known()),
    ];
    for (case, registry, ruc) in cases {
        let page = page();
        page.fail(SourceErrorKind::Refused);
        let error = lookup(&app, page.clone(), registry).run(&call, ruc).await.unwrap_err();
        assert_eq!((&*error.source, error.kind), ("page", SourceErrorKind::Refused), "{case}");
    }
}

#[tokio::test]
async fn damage_of_another_dataset_does_not_stop_the_open_data() {
    let (app, call) = admitted().await;
    let page = page();
    page.fail(SourceErrorKind::Unavailable);
    for other in [ProfileParts::FLAGS, ProfileParts::ANNEXES] {
        let result = lookup(&app, page.clone(), damaged_in(other)).run(&call, known()).await.unwrap();
        assert!(matches!(result, DetailResult::OpenData { .. }), "{result:?}");
    }
}

#[tokio::test]
async fn neither_an_old_padron_nor_old_open_data_answers() {
    let (app, call) = admitted().await;
    for (padron, open_data_edition, answers) in [
        (aged(7), aged(75), true),
        (aged(8), aged(75), false),
        (aged(7), aged(76), false),
        (aged(-1), aged(75), false),
        (aged(7), aged(-1), false),
        (sample(LABEL), sample("2020-01-01-00000000"), true),
    ] {
        let (page, ages) = (page(), (padron.label.clone(), open_data_edition.label.clone()));
        page.fail(SourceErrorKind::Unavailable);
        let registry = with_editions(padron, open_data_edition, Some(Some(open_data())));
        let result = lookup(&app, page.clone(), registry).run(&call, known()).await;
        assert_eq!(result.is_ok(), answers, "{ages:?}");
        assert!(result.err().is_none_or(|error| error.kind == SourceErrorKind::Unavailable));
    }
}

#[tokio::test]
async fn the_sources_are_asked_again_by_the_next_call() {
    let (app, call) = admitted().await;
    let page = Arc::new(ScriptedSource::new("page", DetailOrigin::Official).with([detail("20100119227", "UNO")]));
    let lookup = lookup(&app, page.clone(), whole());
    page.fail(SourceErrorKind::Unavailable);
    assert!(matches!(lookup.run(&call, known()).await.unwrap(), DetailResult::OpenData { .. }));
    page.fail(None);
    let result = lookup.run(&call, known()).await.unwrap();
    assert!(matches!(result, DetailResult::Source(answer) if answer.taxpayer.is_some()));
}
