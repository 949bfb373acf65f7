//! When a source's "not found" is accepted.

use std::sync::Arc;

use kuraka_app::{AgeLimits, ContradictedAbsenceError, VerifyAbsence};
use kuraka_domain::{Ruc, TaxpayerDetail, TaxpayerSummary};
use kuraka_ports::contract::samples::detail;
use kuraka_ports::contract::taxpayer_source::Working;
use kuraka_ports::fake::{ManualClock, ScriptedRegistry, ScriptedSource};
use kuraka_ports::{DetailAnswer, DetailOrigin, SourceError, SourceErrorKind, TaxpayerSource};

use super::{aged, limits, taxpayer};

mod contract {
    use super::*;
    kuraka_ports::contract!(taxpayer_source, VerifyAbsence, working());
}

/// The official page with the layer, and a registry that knows the page's taxpayer.
fn working() -> (Working<VerifyAbsence>, ()) {
    let page = page();
    let failing = (Ruc::parse("20100128056").unwrap(), SourceErrorKind::Refused);
    page.fail_for(failing.0, failing.1);
    let source = Arc::new(VerifyAbsence::new(page, registry(&[known().ruc]), week()));
    (Working { source, known: vec![known()], absent: absent(), failing, origin: DetailOrigin::Official }, ())
}

/// The taxpayer that the sources know.
fn known() -> TaxpayerDetail {
    detail("20131312955", "UNO S.A.")
}

/// A RUC that the sources do not know.
fn absent() -> Ruc {
    Ruc::parse("20100017491").unwrap()
}

fn page() -> Arc<ScriptedSource> {
    Arc::new(ScriptedSource::new("page", DetailOrigin::Official).with([known()]))
}

fn provider() -> Arc<ScriptedSource> {
    Arc::new(ScriptedSource::new("provider", DetailOrigin::Provider).with([known()]))
}

/// A clock at the day from which [`aged`] counts.
fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at("2026-11-20T15:00:00Z".parse().unwrap()))
}

/// Limits by which the padrón is too old after a week.
fn week() -> AgeLimits {
    limits(&clock())
}

/// A registry with a fresh edition that knows these.
fn registry(taxpayers: &[Ruc]) -> Arc<ScriptedRegistry> {
    Arc::new(ScriptedRegistry::with(aged(7), taxpayers.iter().copied().map(summary)))
}

fn summary(ruc: Ruc) -> TaxpayerSummary {
    TaxpayerSummary { ruc, ..taxpayer() }
}

/// The result of a "not found" from `source` with this registry, whose editions are too old after a week.
async fn not_found(source: Arc<ScriptedSource>, registry: Arc<ScriptedRegistry>) -> Result<DetailAnswer, SourceError> {
    VerifyAbsence::new(source, registry, week()).detail(absent()).await
}

fn overdue(taxpayers: &[Ruc]) -> Arc<ScriptedRegistry> {
    Arc::new(ScriptedRegistry::with(aged(8), taxpayers.iter().copied().map(summary)))
}

#[tokio::test]
async fn a_not_found_that_the_registry_contradicts_is_unreadable() {
    for source in [page(), provider()] {
        for (registry, label) in [(registry(&[absent()]), aged(7).label), (overdue(&[absent()]), aged(8).label)] {
            let error = not_found(Arc::clone(&source), registry).await.unwrap_err();
            assert_eq!(error.kind, SourceErrorKind::Unreadable);
            let edition = error.cause.unwrap().downcast_ref::<ContradictedAbsenceError>().unwrap().edition.clone();
            assert_eq!(edition, label);
        }
    }
}

#[tokio::test]
async fn a_providers_not_found_needs_a_fresh_edition_that_agrees() {
    let unreadable = registry(&[]);
    unreadable.fail(absent(), SourceErrorKind::Unreadable);
    for (registry, is_page_believed, is_provider_believed) in [
        (registry(&[]), true, true),
        (overdue(&[]), true, false),
        (Arc::new(ScriptedRegistry::empty()), true, false),
        (unreadable, false, false),
    ] {
        for (source, is_believed) in [(page(), is_page_believed), (provider(), is_provider_believed)] {
            match not_found(source, Arc::clone(&registry)).await {
                Ok(answer) => assert!(is_believed && answer.taxpayer.is_none()),
                Err(error) => assert!(!is_believed && error.kind == SourceErrorKind::UnverifiedAbsence),
            }
        }
    }
}

#[tokio::test]
async fn records_and_failures_pass_unchanged() {
    let (page, registry) = (page(), registry(&[]));
    let verify_absence = VerifyAbsence::new(page.clone(), registry.clone(), week());
    assert_eq!(verify_absence.detail(known().ruc).await.unwrap().taxpayer.as_deref(), Some(&known()));
    page.fail(SourceErrorKind::Refused);
    assert_eq!(verify_absence.detail(absent()).await.unwrap_err().kind, SourceErrorKind::Refused);
    assert_eq!(registry.asked(), []);
}
