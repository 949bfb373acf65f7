//! Details from the sources, and from the open data when no source answers.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{AbsenceRule, DetailResult, LookupDetail, OpenDataDetails, VerifyAbsence};
use kuraka_domain::{
    ActivityRank, Date, DomicileCondition, EconomicActivity, OpenData, Ruc, TaxpayerProfile, TaxpayerStatus,
};
use kuraka_ports::contract::samples::detail;
use kuraka_ports::fake::{ScriptedDatasets, ScriptedRegistry, ScriptedSource};
use kuraka_ports::{DetailOrigin, SourceErrorKind};

use crate::fixture::TestApp;
use crate::lookup_published::{profile, published};
use crate::lookup_summary::{admitted, known, unknown};

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
    let profiles = vec![TaxpayerProfile { open_data: data, ..profile() }];
    Arc::new(published(ScriptedDatasets { profiles, ..ScriptedDatasets::default() }))
}

/// A registry that has everything, in which one dataset cannot be read.
fn damaged_in(dataset: &'static str) -> Arc<ScriptedRegistry> {
    let profiles = vec![TaxpayerProfile { open_data: Some(Some(open_data())), ..profile() }];
    Arc::new(published(ScriptedDatasets { profiles, damaged: vec![dataset], ..ScriptedDatasets::default() }))
}

fn whole() -> Arc<ScriptedRegistry> {
    registry(Some(Some(open_data())))
}

fn page() -> Arc<ScriptedSource> {
    Arc::new(ScriptedSource::new("page", DetailOrigin::Official))
}

fn lookup(app: &TestApp, page: &Arc<ScriptedSource>, registry: Arc<ScriptedRegistry>) -> LookupDetail {
    let rule = AbsenceRule::new(app.clock.clone(), Some(7));
    LookupDetail::new(page.clone(), Some(OpenDataDetails::new(registry, rule)))
}

#[tokio::test]
async fn the_open_data_answers_after_any_failure_of_the_sources() {
    let (app, grant) = admitted().await;
    for kind in FAILURES {
        let page = page();
        page.fail(kind);
        let result = lookup(&app, &page, whole()).run(&grant, known()).await.unwrap();
        let DetailResult::OpenData { taxpayer, edition } = result else { panic!("{kind:?}") };
        assert_eq!(&*edition.label, "2026-11-20-0a1b2c3d");
        assert_eq!(taxpayer.ruc, known());
    }
}

#[tokio::test]
async fn an_answer_from_the_open_data_has_every_field_that_the_files_tell() {
    let (app, grant) = admitted().await;
    let page = page();
    page.fail(SourceErrorKind::Unavailable);
    let result = lookup(&app, &page, whole()).run(&grant, known()).await.unwrap();
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
async fn an_only_activity_keeps_the_rank_that_the_file_says() {
    let (app, grant) = admitted().await;
    for rank in [ActivityRank::Principal, ActivityRank::Secondary] {
        let page = page();
        page.fail(SourceErrorKind::Unavailable);
        let registry =
            registry(Some(Some(OpenData { activities: vec![activity(rank, "VENTA DE PAN")], ..open_data() })));
        let result = lookup(&app, &page, registry).run(&grant, known()).await.unwrap();
        let DetailResult::OpenData { taxpayer, .. } = result else { panic!("{result:?}") };
        assert_eq!(taxpayer.activities, [activity(rank, "VENTA DE PAN")]);
    }
}

#[tokio::test]
async fn a_source_that_answers_is_not_replaced() {
    let (app, grant) = admitted().await;
    let theirs = detail("20100119227", "SU NOMBRE");
    let page = Arc::new(ScriptedSource::new("page", DetailOrigin::Official).with([theirs.clone()]));
    let result = lookup(&app, &page, whole()).run(&grant, known()).await.unwrap();
    let DetailResult::Source(answer) = result else { panic!("{result:?}") };
    assert_eq!(answer.taxpayer.as_deref(), Some(&theirs));
}

#[tokio::test]
async fn a_not_found_that_stands_is_not_overridden() {
    let (app, grant) = admitted().await;
    let result = lookup(&app, &page(), whole()).run(&grant, known()).await.unwrap();
    assert!(matches!(result, DetailResult::Source(answer) if answer.taxpayer.is_none()));
}

#[tokio::test]
async fn a_not_found_that_the_registry_contradicts_is_answered_from_the_open_data() {
    let (app, grant) = admitted().await;
    let rule = AbsenceRule::new(app.clock.clone(), Some(7));
    let verified = Arc::new(VerifyAbsence::new(page(), whole(), rule.clone()));
    let lookup = LookupDetail::new(verified, Some(OpenDataDetails::new(whole(), rule)));
    let result = lookup.run(&grant, known()).await.unwrap();
    assert!(matches!(result, DetailResult::OpenData { .. }), "{result:?}");
}

#[tokio::test]
async fn the_sources_failure_stays_where_the_open_data_does_not_know_the_taxpayer() {
    let (app, grant) = admitted().await;
    let damaged = whole();
    damaged.fail(known(), SourceErrorKind::Unreadable);
    let cases: [(&str, Arc<ScriptedRegistry>, Ruc); 6] = [
        ("not in the padrón", whole(), unknown()),
        ("not in the open data", registry(Some(None)), known()),
        ("no open data", registry(None), known()),
        ("no padrón", Arc::new(ScriptedRegistry::empty()), known()),
        ("a damaged row", damaged, known()),
        ("damaged open data", damaged_in("datos_abiertos"), known()),
    ];
    for (case, registry, ruc) in cases {
        let page = page();
        page.fail(SourceErrorKind::Refused);
        let error = lookup(&app, &page, registry).run(&grant, ruc).await.unwrap_err();
        assert_eq!((&*error.source, error.kind), ("page", SourceErrorKind::Refused), "{case}");
    }
}

#[tokio::test]
async fn damage_of_another_dataset_does_not_stop_the_open_data() {
    let (app, grant) = admitted().await;
    let page = page();
    page.fail(SourceErrorKind::Unavailable);
    let result = lookup(&app, &page, damaged_in("anexos")).run(&grant, known()).await.unwrap();
    assert!(matches!(result, DetailResult::OpenData { .. }), "{result:?}");
}

#[tokio::test]
async fn an_overdue_padron_answers_no_detail() {
    let (app, grant) = admitted().await;
    let page = page();
    page.fail(SourceErrorKind::Unavailable);
    let lookup = lookup(&app, &page, whole());
    app.clock.advance(Duration::from_secs(7 * 86_400));
    assert!(lookup.run(&grant, known()).await.is_ok(), "seven days are not more than seven");
    app.clock.advance(Duration::from_secs(86_400));
    assert_eq!(lookup.run(&grant, known()).await.unwrap_err().kind, SourceErrorKind::Unavailable);
}

#[tokio::test]
async fn the_sources_are_asked_again_by_the_next_call() {
    let (app, grant) = admitted().await;
    let page = Arc::new(ScriptedSource::new("page", DetailOrigin::Official).with([detail("20100119227", "UNO")]));
    let lookup = lookup(&app, &page, whole());
    page.fail(SourceErrorKind::Unavailable);
    assert!(matches!(lookup.run(&grant, known()).await.unwrap(), DetailResult::OpenData { .. }));
    page.fail(None);
    assert!(matches!(lookup.run(&grant, known()).await.unwrap(), DetailResult::Source(_)));
}

#[tokio::test]
async fn without_open_data_the_failure_stays() {
    let (_app, grant) = admitted().await;
    let page = page();
    page.fail(SourceErrorKind::Unavailable);
    assert!(LookupDetail::new(page, None).run(&grant, known()).await.is_err());
}
