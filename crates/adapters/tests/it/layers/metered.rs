//! Every call is observed once, however it ends.

use std::collections::BTreeSet;
use std::sync::Arc;

use kuraka_adapters::layers::{CallResult, Layered, Metered};
use kuraka_ports::{SourceErrorKind, TaxpayerSource};
use tokio::time::timeout;

use super::{Notebook, SECOND, absent, clock, known, page};

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

#[test]
fn each_outcome_has_its_own_label() {
    let words: BTreeSet<&str> = CallResult::ALL.into_iter().map(CallResult::as_str).collect();
    assert_eq!(words.len(), CallResult::ALL.len());
}
