//! Batches of vouchers: a share of the source.

use std::future::{pending, ready};
use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{ChargedCall, ValidateVoucher};
use kuraka_domain::{Date, IssueDate, Ruc, Voucher};
use kuraka_ports::VoucherValidator;
use kuraka_ports::fake::ScriptedValidator;
use tokio::time::{Instant, sleep};

use crate::fixture::{TestApp, plan};

/// Requests that the source serves at the same time.
const AT_ONCE: usize = 32;
const SECOND: Duration = Duration::from_secs(1);

/// An invoice with this number.
fn voucher(number: u32) -> Voucher {
    let day = Date::new(2026, 1, 15).unwrap();
    Voucher {
        issuer: Ruc::parse("20100119227").unwrap(),
        kind: "01".parse().unwrap(),
        series: "F001".parse().unwrap(),
        number: number.to_string().parse().unwrap(),
        issued: IssueDate::new(day, day).unwrap(),
        total: "118".parse().unwrap(),
    }
}

/// A source, its use case, and a call.
async fn scene() -> (Arc<ScriptedValidator>, ValidateVoucher, ChargedCall) {
    let app = TestApp::with(&[plan("free", 1_000, 5, 10)]).await;
    let call = app.admit(app.caller().await.unwrap()).await.unwrap();
    let source = Arc::new(ScriptedValidator::new("source"));
    (Arc::clone(&source), ValidateVoucher::new(source, AT_ONCE), call)
}

#[tokio::test(start_paused = true)]
async fn batches_use_a_quarter_of_the_source_together() {
    let (source, vouchers, call) = scene().await;
    source.delay(SECOND);
    let started = Instant::now();
    let batch = |numbers: std::ops::Range<u32>| vouchers.run_all(&call, numbers.map(voucher), pending());
    let (one, other, most) = tokio::join!(batch(0..20), batch(20..40), async {
        sleep(SECOND / 2).await;
        source.in_flight()
    });
    assert_eq!((one.len(), other.len(), most), (20, 20, AT_ONCE / 4));
    assert_eq!(started.elapsed(), 5 * SECOND, "40 requests, 8 at a time");
}

#[tokio::test(start_paused = true)]
async fn a_small_batch_does_not_wait_for_a_large_one() {
    let (source, vouchers, call) = scene().await;
    source.delay(SECOND);
    let large = vouchers.run_all(&call, (0..100).map(voucher), pending());
    let small = async {
        sleep(SECOND / 2).await;
        let started = Instant::now();
        vouchers.run_all(&call, (100..108).map(voucher), pending()).await;
        started.elapsed()
    };
    let (_, waited) = tokio::join!(large, small);
    assert!(waited <= 3 * SECOND, "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stopped_batch_keeps_the_answers_that_it_has() {
    let (source, vouchers, call) = scene().await;
    source.delay(SECOND);
    let answers = vouchers.run_all(&call, (0..20).map(voucher), sleep(3 * SECOND / 2)).await;
    assert_eq!(answers.len(), 8);
    assert!(vouchers.run_all(&call, (0..20).map(voucher), ready(())).await.is_empty());
    assert!(vouchers.run_all(&call, [], pending()).await.is_empty());
    // The requests that were in progress have their turns until they end.
    assert_eq!(vouchers.run_all(&call, (0..8).map(voucher), sleep(2 * SECOND)).await.len(), 8);
    source.validate(voucher(1)).await.unwrap();
}
