//! How a charged call ends: what is counted for the account's usage, and what is refunded.

use std::sync::Arc;

use kuraka_app::Usage;
use kuraka_domain::{Date, ResultCode};

use crate::fixture::{DETAIL, TestApp, plan};

/// The account's counted results.
async fn counted(app: &TestApp) -> Vec<(String, ResultCode, u64)> {
    let usage = Usage::new(app.store.clone(), app.store.clone(), app.meters.clone(), app.clock.clone());
    usage.write().await.unwrap();
    let counts = usage.daily.since(app.account.id, Date::MIN).await.unwrap();
    counts.into_iter().map(|count| (count.operation.to_string(), count.code, count.count)).collect()
}

#[tokio::test]
async fn a_call_is_counted_once_with_its_last_result() {
    let app = TestApp::with(&[plan("free", 1_000, 100, 100)]).await;
    let call = app.admit(app.caller().await.unwrap()).await.unwrap();
    call.end(ResultCode::Found, None);
    call.end(ResultCode::DocumentNotFound, None);
    assert_eq!(counted(&app).await, []);
    drop(call);
    assert_eq!(counted(&app).await, [("ruc-official".to_owned(), ResultCode::DocumentNotFound, 1)]);
}

#[tokio::test]
async fn a_call_whose_client_leaves_stays_charged_and_is_not_counted() {
    let app = TestApp::with(&[plan("free", 1_000, 100, 100)]).await;
    let caller = app.caller().await.unwrap();
    drop(app.admit(Arc::clone(&caller)).await.unwrap());
    assert_eq!(counted(&app).await, []);
    assert_eq!(app.admission.limit_status(&caller).left, Some(999));
}

#[tokio::test]
async fn an_internal_error_is_refunded_once_and_counted() {
    let app = TestApp::with(&[plan("free", 1_000, 100, 100)]).await;
    let other = app.admit(app.caller().await.unwrap()).await.unwrap();
    let call = app.admission.admit(app.caller().await.unwrap(), DETAIL, || 30).await.unwrap();
    assert_eq!((call.queries(), call.limits().left), (30, Some(969)));
    for _ in 0..2 {
        call.end(ResultCode::InternalError, None);
        call.refund();
        assert_eq!((call.queries(), call.limits().left), (0, Some(999)));
    }
    drop((call, other));
    assert_eq!(counted(&app).await, [("ruc-official".to_owned(), ResultCode::InternalError, 1)]);
}

#[tokio::test]
async fn a_refused_call_is_counted() {
    let app = TestApp::with(&[plan("free", 1, 100, 2)]).await;
    for _ in 0..3 {
        drop(app.admit(app.caller().await.unwrap()).await);
    }
    let mut counted = counted(&app).await;
    counted.sort_by_key(|(_, code, _)| code.as_str());
    let of = |code| ("ruc-official".to_owned(), code, 1);
    assert_eq!(counted, [of(ResultCode::QuotaExceeded), of(ResultCode::RateLimited)]);
}
