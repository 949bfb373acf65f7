//! What a "not found" is worth.

use std::sync::Arc;

use kuraka_adapters::layers::verify_absence::Contradicted;
use kuraka_adapters::layers::{Blameless, VerifyAbsence};
use kuraka_domain::Ruc;
use kuraka_ports::fake::{ScriptedRegistry, ScriptedSource};
use kuraka_ports::{DetailAnswer, Edition, EditionOrigin, SourceError, SourceErrorKind, TaxpayerSource};

use super::{UNAVAILABLE, absent, cause, clock, edition, known, page, provider, registry, summary};

/// What becomes of "not found" from `source`, where the registry is this one and a week is its age.
async fn not_found(source: Arc<ScriptedSource>, registry: Arc<ScriptedRegistry>) -> Result<DetailAnswer, SourceError> {
    VerifyAbsence::new(source, registry, Some(7), clock()).detail(absent()).await
}

fn stands(result: Result<DetailAnswer, SourceError>) -> bool {
    result.is_ok_and(|answer| answer.taxpayer.is_none())
}

fn is_unconfirmed(result: Result<DetailAnswer, SourceError>) -> bool {
    result.is_err_and(|error| error.kind == UNAVAILABLE && cause(&error) == Some(Blameless::UnverifiedAbsence))
}

fn overdue(taxpayers: &[Ruc]) -> Arc<ScriptedRegistry> {
    Arc::new(ScriptedRegistry::with(edition(7), taxpayers.iter().copied().map(summary)))
}

#[tokio::test]
async fn a_contradicted_not_found_is_unreadable_whoever_says_it_and_however_old_the_edition() {
    for source in [page(), provider("provider")] {
        for registry in [registry(&[absent()]), overdue(&[absent()])] {
            let error = not_found(Arc::clone(&source), registry).await.unwrap_err();
            assert_eq!(error.kind, SourceErrorKind::Unreadable);
            let edition = error.cause.unwrap().downcast::<Contradicted>().unwrap().edition;
            assert_eq!(&*edition, "2026-11-17-00000000");
        }
    }
}

#[tokio::test]
async fn a_not_found_that_a_fresh_edition_confirms_stands() {
    assert!(stands(not_found(page(), registry(&[])).await));
    assert!(stands(not_found(provider("provider"), registry(&[])).await));
}

#[tokio::test]
async fn with_an_overdue_edition_the_pages_not_found_stands_and_a_providers_does_not() {
    assert!(stands(not_found(page(), overdue(&[])).await));
    assert!(is_unconfirmed(not_found(provider("provider"), overdue(&[])).await));
}

#[tokio::test]
async fn without_an_edition_the_pages_not_found_stands_and_a_providers_does_not() {
    let empty = || Arc::new(ScriptedRegistry::empty());
    assert!(stands(not_found(page(), empty()).await));
    assert!(is_unconfirmed(not_found(provider("provider"), empty()).await));
}

#[tokio::test]
async fn an_edition_that_cannot_be_read_confirms_nothing() {
    for source in [page(), provider("provider")] {
        let registry = registry(&[]);
        registry.fail(absent(), SourceErrorKind::Unreadable);
        assert!(is_unconfirmed(not_found(source, registry).await));
    }
}

#[tokio::test]
async fn a_sample_never_ages_and_without_a_limit_nothing_does() {
    let sample = Edition { origin: EditionOrigin::Sample, ..edition(5_000) };
    assert!(stands(not_found(provider("provider"), Arc::new(ScriptedRegistry::with(sample, []))).await));
    let old = Arc::new(ScriptedRegistry::with(edition(5_000), []));
    assert!(stands(VerifyAbsence::new(provider("provider"), old, None, clock()).detail(absent()).await));
}

#[tokio::test]
async fn records_and_failures_pass_without_a_look_at_the_registry() {
    let (page, registry) = (page(), registry(&[]));
    let verify_absence = VerifyAbsence::new(page.clone(), registry.clone(), Some(7), clock());
    assert_eq!(verify_absence.detail(known().ruc).await.unwrap().taxpayer.as_deref(), Some(&known()));
    page.fail(SourceErrorKind::Refused);
    assert_eq!(verify_absence.detail(absent()).await.unwrap_err().kind, SourceErrorKind::Refused);
    assert_eq!(registry.asked(), []);
}
