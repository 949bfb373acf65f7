use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{AdmitError, Charge};
use kuraka_ports::{Period, StoreErrorKind, UsageLedger};

use crate::house::{House, new_token, plan};

const NOVEMBER: Period = Period { year: 2026, month: 11 };

#[tokio::test]
async fn a_grant_is_one_query_and_tells_where_the_caller_stands() {
    let house = House::with(&[plan("free", 1_000, 5, 10)]).await;
    let grant = house.admit(house.caller().await.unwrap()).await.unwrap();
    let standing = grant.standing;
    assert_eq!((standing.rate.remaining, standing.rate.full_in, standing.left), (9, 1, Some(999)));
    assert_eq!(standing.period_seconds, 30 * 86_400);
    // From 10:00 of the 20th in Lima to the first of December.
    assert_eq!(standing.seconds_left, 10 * 86_400 + 14 * 3_600);
    assert_eq!(house.store.used(house.account.id, NOVEMBER).await.unwrap(), 1);
}

#[tokio::test]
async fn a_call_over_the_rate_is_not_charged() {
    let house = House::with(&[plan("free", 1_000, 1, 1)]).await;
    house.admit(house.caller().await.unwrap()).await.unwrap();
    let refusal = house.admit(house.caller().await.unwrap()).await.err().unwrap();
    assert!(matches!(refusal, AdmitError::TooFast { retry_after: 1, .. }));
    assert_eq!(house.store.used(house.account.id, NOVEMBER).await.unwrap(), 1);
}

#[tokio::test]
async fn where_a_refused_caller_stands_is_told_and_nothing_is_taken() {
    let house = House::with(&[plan("free", 1_000, 1, 10)]).await;
    let caller = house.caller().await.unwrap();
    let before = house.admission.standing(&caller);
    assert_eq!((before.rate.remaining, before.rate.full_in, before.left), (10, 0, None));
    house.admit(caller.clone()).await.unwrap();
    for _ in 0..3 {
        let standing = house.admission.standing(&caller);
        assert_eq!((standing.rate.remaining, standing.rate.full_in, standing.left), (9, 1, Some(999)));
    }
    assert_eq!(house.store.used(house.account.id, NOVEMBER).await.unwrap(), 1);
}

#[tokio::test]
async fn tokens_of_one_account_share_its_rate_and_its_month() {
    let house = House::with(&[plan("free", 3, 100, 100)]).await;
    let (other, _) = new_token(&house.store, &house.account, 50).await;
    for _ in 0..2 {
        house.admit(house.caller().await.unwrap()).await.unwrap();
    }
    let second = house.caller_of(&other).await.unwrap();
    assert_eq!(house.admit(second.clone()).await.unwrap().standing.left, Some(0));
    assert!(
        matches!(house.admit(second).await, Err(AdmitError::Exhausted { standing, .. }) if standing.left == Some(0))
    );
}

#[tokio::test]
async fn the_month_turns_at_five_in_the_morning_utc() {
    let house = House::with(&[plan("free", 1, 100, 100)]).await;
    house.clock.set("2026-12-01T04:59:59.999Z".parse().unwrap());
    let caller = house.caller().await.unwrap();
    house.admit(caller.clone()).await.unwrap();
    let refusal = house.admit(caller.clone()).await.err().unwrap();
    assert!(matches!(refusal, AdmitError::Exhausted { standing, .. } if standing.seconds_left == 1));
    house.clock.advance(Duration::from_millis(1));
    assert!(house.admit(caller.clone()).await.is_ok());
    // A clock that jumps back charges the month it says it is, and that one is used.
    house.clock.set("2026-11-30T00:00:00Z".parse().unwrap());
    assert!(matches!(house.admit(caller).await, Err(AdmitError::Exhausted { .. })));
}

#[tokio::test]
async fn without_the_ledger_nobody_is_admitted_on_a_small_plan() {
    let house = House::with(&[plan("free", 1_000, 100, 100)]).await;
    let caller = house.caller().await.unwrap();
    house.store.fail(StoreErrorKind::Unavailable);
    assert!(matches!(house.admit(caller).await, Err(AdmitError::Store { .. })));
}

#[tokio::test]
async fn a_stopping_process_gives_every_block_back() {
    let house = House::with(&[plan("large", 1_000_000, 100, 100)]).await;
    house.admit(house.caller().await.unwrap()).await.unwrap();
    assert_eq!(house.store.used(house.account.id, NOVEMBER).await.unwrap(), 10_000);
    assert!(house.meters.settle_all().await.is_empty());
    assert_eq!(house.store.used(house.account.id, NOVEMBER).await.unwrap(), 1);
}

#[tokio::test]
async fn a_charge_that_is_taken_back_can_be_spent_again_and_no_more() {
    let house = House::with(&[plan("free", 3, 1_000, 1_000)]).await;
    let caller = house.caller().await.unwrap();
    let mut charged = None;
    for left in [2, 1, 0] {
        let grant = house.admit(Arc::clone(&caller)).await.unwrap_or_else(|refusal| panic!("{refusal:?}"));
        assert_eq!(grant.standing.left, Some(left));
        charged = Some(grant.charge);
    }
    let charged = charged.unwrap();
    // A charge of another month adds nothing to this one.
    let earlier = Period { year: charged.period.year - 1, ..charged.period };
    house.admission.refund(&caller, Charge { period: earlier, ..charged });
    assert_eq!(house.admission.standing(&caller).left, Some(0));
    house.admission.refund(&caller, charged);
    assert_eq!(house.admission.standing(&caller).left, Some(1));
    assert!(house.admit(Arc::clone(&caller)).await.is_ok());
    assert!(matches!(house.admit(Arc::clone(&caller)).await, Err(AdmitError::Exhausted { .. })));
}
