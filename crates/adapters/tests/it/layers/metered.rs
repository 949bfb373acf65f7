//! Every call is observed once, however it ends.

use std::sync::Arc;

use kuraka_adapters::layers::{CallResult, Layered, Limit, Metered};
use kuraka_ports::{SourceErrorKind, TaxpayerSource};
use tokio::time::timeout;

use super::{Notebook, SECOND, absent, clock, known, page, provider};

#[tokio::test(start_paused = true)]
async fn every_end_of_a_call_is_counted_with_its_time() {
    let (page, notebook) = (page(), Arc::<Notebook>::default());
    let metered = Layered::new(Metered::new(notebook.clone(), clock()), page.clone());
    page.delay(2 * SECOND);
    metered.detail(known().ruc).await.unwrap();
    metered.detail(absent()).await.unwrap();
    page.fail(SourceErrorKind::Refused);
    metered.detail(known().ruc).await.unwrap_err();
    timeout(SECOND, metered.detail(known().ruc)).await.unwrap_err();
    let refused = CallResult::Failed(SourceErrorKind::Refused);
    let expected = [
        (CallResult::Found, 2 * SECOND),
        (CallResult::NotFound, 2 * SECOND),
        (refused, 2 * SECOND),
        (CallResult::Dropped, SECOND),
    ];
    assert_eq!(notebook.notes(), expected.map(|(outcome, latency)| ("page".to_owned(), outcome, latency)));
}

#[tokio::test]
async fn a_future_that_was_never_polled_is_not_counted() {
    let notebook = Arc::<Notebook>::default();
    let metered = Layered::new(Metered::new(notebook.clone(), clock()), page());
    drop(metered.detail(known().ruc));
    assert_eq!(notebook.notes(), []);
}

#[tokio::test(start_paused = true)]
async fn held_back_and_unverified_calls_have_their_own_labels() {
    let notebook = Arc::<Notebook>::default();
    let meter = |source: Arc<dyn TaxpayerSource>| Layered::new(Metered::new(notebook.clone(), clock()), source);
    meter(Arc::new(Layered::new(Limit::new(0), page()))).detail(known().ruc).await.unwrap_err();
    let provider = provider("provider");
    provider.fail(SourceErrorKind::UnverifiedAbsence);
    meter(provider).detail(absent()).await.unwrap_err();
    assert_eq!(
        notebook.notes().into_iter().map(|note| note.1.as_str()).collect::<Vec<_>>(),
        ["held_back", "unconfirmed"]
    );
}

#[test]
fn each_outcome_has_its_own_label() {
    let kinds = [
        SourceErrorKind::Unavailable,
        SourceErrorKind::Throttled { retry_after: None },
        SourceErrorKind::Refused,
        SourceErrorKind::Credentials,
        SourceErrorKind::Unreadable,
        SourceErrorKind::Rejected,
        SourceErrorKind::HeldBack,
        SourceErrorKind::UnverifiedAbsence,
    ];
    let outcomes =
        kinds.map(CallResult::Failed).into_iter().chain([CallResult::Found, CallResult::NotFound, CallResult::Dropped]);
    let mut words: Vec<&str> = outcomes.map(CallResult::as_str).collect();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), 11);
}
