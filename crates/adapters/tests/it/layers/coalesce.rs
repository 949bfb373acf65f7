//! Many callers, one request.

use std::sync::Arc;

use kuraka_adapters::layers::Coalesce;
use kuraka_domain::Ruc;
use kuraka_ports::{DetailAnswer, SourceError, SourceErrorKind, SourceLoad, TaxpayerSource};
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::{SECOND, UNAVAILABLE, failure, known, other, page};

#[tokio::test(start_paused = true)]
async fn callers_and_distinct_requests_are_counted_until_they_end() {
    let page = page();
    page.delay(SECOND);
    let coalesce = Arc::new(Coalesce::new(page.clone(), Handle::current()));
    let load = coalesce.load();
    let mut callers = JoinSet::new();
    for ruc in [known().ruc, known().ruc, other().ruc] {
        let coalesce = Arc::clone(&coalesce);
        callers.spawn(async move { coalesce.detail(ruc).await.is_ok() });
    }
    sleep(SECOND / 2).await;
    assert_eq!(*load.borrow(), SourceLoad { callers: 3, requests: 2 });
    // The callers leave, and their requests go on for the cache.
    callers.shutdown().await;
    assert_eq!(*load.borrow(), SourceLoad { callers: 0, requests: 2 });
    sleep(SECOND).await;
    assert_eq!(*load.borrow(), SourceLoad::default());
}

#[tokio::test(start_paused = true)]
async fn the_request_survives_its_first_caller() {
    let page = page();
    page.delay(2 * SECOND);
    let coalesce = Coalesce::new(page.clone(), Handle::current());
    let first = timeout(SECOND, coalesce.detail(known().ruc));
    let (first, second) = tokio::join!(first, coalesce.detail(known().ruc));
    assert!(first.is_err());
    assert!(second.unwrap().taxpayer.is_some());
    assert_eq!(page.asked().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_request_is_sent_again_after_its_answer() {
    let page = page();
    let coalesce = Coalesce::new(page.clone(), Handle::current());
    for _ in 0..3 {
        coalesce.detail(known().ruc).await.unwrap();
    }
    assert_eq!(page.asked().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn all_callers_get_the_failure_and_the_next_one_asks_again() {
    let page = page();
    page.fail(SourceErrorKind::Refused);
    let coalesce = Coalesce::new(page.clone(), Handle::current());
    let (one, two) = tokio::join!(failure(&coalesce), failure(&coalesce));
    assert_eq!([one.kind, two.kind], [SourceErrorKind::Refused; 2]);
    failure(&coalesce).await;
    assert_eq!(page.asked().len(), 2);
}

#[tokio::test]
async fn a_panic_in_the_source_fails_only_its_own_callers() {
    let coalesce = Coalesce::new(Arc::new(Panicking), Handle::current());
    for _ in 0..2 {
        let error = failure(&coalesce).await;
        assert_eq!(error.kind, UNAVAILABLE);
        assert!(error.cause.unwrap().to_string().contains("without an answer"));
    }
}

#[test]
fn after_the_runtime_shuts_down_a_request_fails_at_once() {
    let gone = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let coalesce = Coalesce::new(page(), gone.handle().clone());
    drop(gone);
    let here = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for _ in 0..2 {
        assert_eq!(here.block_on(failure(&coalesce)).kind, UNAVAILABLE);
    }
}

struct Panicking;

#[async_trait::async_trait]
impl TaxpayerSource for Panicking {
    fn name(&self) -> &str {
        "panicking"
    }

    #[expect(clippy::panic, reason = "what is tested is a panic")]
    async fn detail(&self, _ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        panic!("a bug in the source")
    }
}
