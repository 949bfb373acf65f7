use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{AdmitError, ApiToken};
use kuraka_domain::ResultCode;
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{Period, TokenKind, UsageLedger};

use crate::fixture::{TestApp, bytes_from, plan, store_token};

const NOVEMBER: Period = Period { year: 2026, month: 11 };

#[tokio::test]
async fn a_call_charges_one_query_and_reports_the_limits() {
    let app = TestApp::with(&[plan("free", 1_000, 5, 10)]).await;
    let call = app.admit(app.caller().await.unwrap()).await.unwrap();
    let limits = call.limits();
    assert_eq!((limits.rate.remaining, limits.rate.full_in, limits.left), (9, 1, Some(999)));
    assert_eq!(limits.period_seconds, 30 * 86_400);
    // From 10:00 of the 20th in Lima to the first of December.
    assert_eq!(limits.seconds_left, 10 * 86_400 + 14 * 3_600);
    assert_eq!(app.store.used(app.account.id, NOVEMBER).await.unwrap(), 1);
}

#[tokio::test]
async fn reading_a_refused_callers_standing_charges_nothing() {
    let app = TestApp::with(&[plan("free", 1_000, 1, 10)]).await;
    let caller = app.caller().await.unwrap();
    let before = app.admission.limit_status(&caller);
    assert_eq!((before.rate.remaining, before.rate.full_in, before.left), (10, 0, None));
    app.admit(caller.clone()).await.unwrap();
    for _ in 0..3 {
        let limits = app.admission.limit_status(&caller);
        assert_eq!((limits.rate.remaining, limits.rate.full_in, limits.left), (9, 1, Some(999)));
    }
    assert_eq!(app.store.used(app.account.id, NOVEMBER).await.unwrap(), 1);
}

#[tokio::test]
async fn a_month_begins_at_five_in_the_morning_utc() {
    let app = TestApp::with(&[plan("free", 1, 100, 100)]).await;
    app.clock.set("2026-12-01T04:59:59.999Z".parse().unwrap());
    let caller = app.caller().await.unwrap();
    app.admit(caller.clone()).await.unwrap();
    let refusal = app.admit(caller.clone()).await.err().unwrap();
    assert!(matches!(refusal, AdmitError::Exhausted { limits, .. } if limits.seconds_left == 1));
    app.clock.advance(Duration::from_millis(1));
    assert!(app.admit(caller.clone()).await.is_ok());
    // A clock that jumps back charges the earlier month, which is used up.
    app.clock.set("2026-11-30T00:00:00Z".parse().unwrap());
    assert!(matches!(app.admit(caller).await, Err(AdmitError::Exhausted { .. })));
}

#[tokio::test]
async fn a_failed_test_call_leaves_the_accounts_block_active() {
    let app = TestApp::with(&[plan("large", 1_000_000, 100, 100)]).await;
    app.admit(app.caller().await.unwrap()).await.unwrap();
    let token = ApiToken::generate(TokenKind::Test, &MemoryStore::TOKEN_KEY, bytes_from(50)).unwrap();
    store_token(&app.store, &app.account, &token).await;
    let call = app.admit(app.caller_of(&token).await.unwrap()).await.unwrap();
    assert_eq!(call.queries(), 0);
    call.end(ResultCode::ServiceUnavailable, None);
    assert!(app.meters.settle_all().await.is_empty());
    assert_eq!(app.store.used(app.account.id, NOVEMBER).await.unwrap(), 1);
}

#[tokio::test]
async fn a_refunded_charge_can_be_spent_once_more() {
    let app = TestApp::with(&[plan("free", 3, 1_000, 1_000)]).await;
    let caller = app.caller().await.unwrap();
    let mut charged = None;
    for left in [2, 1, 0] {
        let call = app.admit(Arc::clone(&caller)).await.unwrap_or_else(|refusal| panic!("{refusal:?}"));
        assert_eq!(call.limits().left, Some(left));
        charged = Some(call);
    }
    charged.unwrap().refund();
    assert_eq!(app.admission.limit_status(&caller).left, Some(1));
    let november = app.admit(Arc::clone(&caller)).await.unwrap();
    assert!(matches!(app.admit(Arc::clone(&caller)).await, Err(AdmitError::Exhausted { queries: 1, left: 0, .. })));
    // A refund of another month adds nothing to this one.
    app.clock.set("2026-12-20T15:00:00Z".parse().unwrap());
    assert_eq!(app.admit(Arc::clone(&caller)).await.unwrap().limits().left, Some(2));
    november.refund();
    assert_eq!(app.admission.limit_status(&caller).left, Some(2));
}
