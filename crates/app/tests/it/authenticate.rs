use std::time::Duration;

use kuraka_app::AuthenticateError;
use kuraka_ports::{AccountId, Accounts, Clock, Period, PlanName, StoreErrorKind, Tokens};

use crate::fixture::{TestApp, another_account, new_token, plan};

#[tokio::test]
async fn a_revoked_token_is_refused_after_the_next_watch() {
    let app = TestApp::with(&[plan("free", 1_000, 5, 10)]).await;
    app.caller().await.unwrap();
    app.store.revoke(None, app.kept.id, app.clock.now()).await.unwrap();
    app.credentials.watch().await.unwrap();
    assert!(matches!(app.caller().await, Err(AuthenticateError::Unknown)));
}

#[tokio::test]
async fn a_plan_change_keeps_the_months_usage() {
    let app = TestApp::with(&[plan("free", 2, 5, 10), plan("gold", 5, 50, 100)]).await;
    for _ in 0..2 {
        app.admit(app.caller().await.unwrap()).await.unwrap();
    }
    app.store.set_plan(app.account.id, &PlanName::parse("gold").unwrap()).await.unwrap();
    app.credentials.watch().await.unwrap();
    let call = app.admit(app.caller().await.unwrap()).await.unwrap();
    assert_eq!(call.limits().left, Some(2));
    assert_eq!(call.limits().rate.remaining, 99);
}

#[tokio::test]
async fn without_the_store_only_cached_callers_are_recognised() {
    let app = TestApp::with(&[plan("free", 1_000, 5, 10)]).await;
    let (other, _) = new_token(&app.store, &app.account, 50).await;
    app.caller().await.unwrap();
    app.store.fail(StoreErrorKind::Unavailable);
    assert!(app.credentials.watch().await.is_err());
    assert!(app.caller().await.is_ok());
    assert!(matches!(app.caller_of(&other).await, Err(AuthenticateError::Store(_))));
    app.store.fail(None);
    assert!(app.caller_of(&other).await.is_ok());
}

#[tokio::test]
async fn a_failing_settlement_loses_one_block_and_keeps_the_others() {
    const ACCOUNTS: u8 = 5;
    let app = TestApp::with(&[plan("free", 1_000_000, 1_000, 1_000)]).await;
    let mut accounts = Vec::new();
    for number in 0..ACCOUNTS {
        let (account, token) = another_account(&app.store, 100 + number).await;
        let caller = app.caller_of(&token).await;
        let call = app.admit(caller.unwrap_or_else(|refusal| panic!("{refusal:?}"))).await;
        accounts.push((account.id, call.unwrap_or_else(|refusal| panic!("{refusal:?}")).period));
    }
    let held = |accounts: &[(AccountId, Period)]| {
        accounts.iter().filter(|(id, period)| app.meters.unspent(*id, *period) > 0).count()
    };
    app.clock.advance(Duration::from_secs(2));
    app.store.fail(StoreErrorKind::Unavailable);
    assert!(app.meters.settle_idle().await.is_err());
    // The other blocks are kept until a write to the store succeeds.
    for _ in 0..10 {
        app.meters.settle_idle().await.unwrap();
    }
    assert_eq!(held(&accounts), usize::from(ACCOUNTS) - 1);
    assert!(!app.meters.store_takes_writes());
    app.store.fail(None);
    app.meters.note_write(true);
    app.meters.settle_idle().await.unwrap();
    assert_eq!(held(&accounts), 0);
}

#[tokio::test]
async fn only_a_refused_lease_means_that_the_store_takes_no_writes() {
    // Each call of such a small plan leases.
    let app = TestApp::with(&[plan("free", 10, 1_000, 1_000)]).await;
    let caller = app.caller().await.unwrap();
    app.admit(caller.clone()).await.unwrap();
    app.store.overload();
    assert!(app.admit(caller.clone()).await.is_err());
    assert!(app.meters.store_takes_writes(), "the lease only waited too long for its turn");
    app.store.fail(StoreErrorKind::Unwritable);
    assert!(app.admit(caller).await.is_err());
    assert!(!app.meters.store_takes_writes());
}

#[tokio::test]
async fn a_block_whose_return_waits_too_long_stays_held_and_is_returned_later() {
    let app = TestApp::with(&[plan("free", 1_000_000, 1_000, 1_000)]).await;
    let period = app.admit(app.caller().await.unwrap()).await.unwrap().period;
    app.clock.advance(Duration::from_secs(2));
    app.store.overload();
    app.meters.settle_idle().await.unwrap();
    assert!(app.meters.store_takes_writes() && app.meters.unspent(app.account.id, period) > 0);
    app.store.fail(None);
    app.meters.settle_idle().await.unwrap();
    assert_eq!(app.meters.unspent(app.account.id, period), 0);
}
