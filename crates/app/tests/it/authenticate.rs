use std::time::Duration;

use kuraka_app::AuthenticateError;
use kuraka_ports::{AccountId, AccountStatus, Accounts, Clock, Email, Period, PlanName, StoreErrorKind, Tokens};

use crate::house::{House, new_token, plan, token};

#[tokio::test]
async fn a_known_token_is_answered_from_memory() {
    let house = House::with(&[plan("free", 1_000, 5, 10)]).await;
    let caller = house.caller().await.unwrap();
    assert_eq!((caller.account, caller.token), (house.account.id, house.kept.id));
    let asked = house.store.asked();
    for _ in 0..100 {
        house.caller().await.unwrap();
    }
    assert_eq!(house.store.asked(), asked);
}

#[tokio::test]
async fn a_bad_checksum_costs_no_access_to_the_store() {
    let house = House::with(&[plan("free", 1_000, 5, 10)]).await;
    let asked = house.store.asked();
    let mut wrong = house.token.reveal().as_bytes().to_vec();
    wrong[10] ^= 1;
    assert!(matches!(house.admission.authenticate(&wrong, || None).await, Err(AuthenticateError::Unknown)));
    assert_eq!(house.store.asked(), asked);
}

#[tokio::test]
async fn a_token_works_at_once_after_it_is_made() {
    let house = House::with(&[plan("free", 1_000, 5, 10)]).await;
    let later = token(99);
    assert!(matches!(house.caller_of(&later).await, Err(AuthenticateError::Unknown)));
    let (later, _) = new_token(&house.store, &house.account, 99).await;
    assert!(house.caller_of(&later).await.is_ok());
}

#[tokio::test]
async fn a_revoked_token_is_refused_once_the_store_was_watched() {
    let house = House::with(&[plan("free", 1_000, 5, 10)]).await;
    house.caller().await.unwrap();
    house.store.revoke(house.kept.id, house.clock.now()).await.unwrap();
    house.credentials.watch().await.unwrap();
    assert!(matches!(house.caller().await, Err(AuthenticateError::Unknown)));
}

#[tokio::test]
async fn a_suspended_account_is_refused_and_comes_back() {
    let house = House::with(&[plan("free", 1_000, 5, 10)]).await;
    house.store.set_status(house.account.id, AccountStatus::Suspended).await.unwrap();
    house.credentials.watch().await.unwrap();
    assert!(matches!(house.caller().await, Err(AuthenticateError::Suspended)));
    house.store.set_status(house.account.id, AccountStatus::Active).await.unwrap();
    house.credentials.watch().await.unwrap();
    assert!(house.caller().await.is_ok());
}

#[tokio::test]
async fn a_change_of_plan_keeps_the_months_count() {
    let house = House::with(&[plan("free", 2, 5, 10), plan("gold", 5, 50, 100)]).await;
    for _ in 0..2 {
        house.admit(house.caller().await.unwrap()).await.unwrap();
    }
    house.store.set_plan(house.account.id, &PlanName::parse("gold").unwrap()).await.unwrap();
    house.credentials.watch().await.unwrap();
    let grant = house.admit(house.caller().await.unwrap()).await.unwrap();
    assert_eq!(grant.standing.left, Some(2));
    assert_eq!(grant.standing.rate.remaining, 99);
}

#[tokio::test]
async fn an_account_whose_plan_is_gone_is_the_operators_mistake() {
    let house = House::with(&[plan("free", 1_000, 5, 10)]).await;
    house.store.set_plan(house.account.id, &PlanName::parse("gone").unwrap()).await.unwrap();
    assert!(matches!(house.caller().await, Err(AuthenticateError::NoSuchPlan(id)) if id == house.account.id));
}

#[tokio::test]
async fn without_the_store_known_callers_go_on_and_new_ones_wait() {
    let house = House::with(&[plan("free", 1_000, 5, 10)]).await;
    let (other, _) = new_token(&house.store, &house.account, 50).await;
    house.caller().await.unwrap();
    house.store.fail(StoreErrorKind::Unavailable);
    assert!(house.credentials.watch().await.is_err());
    assert!(house.caller().await.is_ok());
    assert!(matches!(house.caller_of(&other).await, Err(AuthenticateError::Store(_))));
    house.store.fail(None);
    assert!(house.caller_of(&other).await.is_ok());
}

#[tokio::test]
async fn a_store_that_takes_no_writes_costs_one_block_and_not_every_idle_one() {
    const ACCOUNTS: u8 = 5;
    let house = House::with(&[plan("free", 1_000_000, 1_000, 1_000)]).await;
    let mut accounts = Vec::new();
    for number in 0..ACCOUNTS {
        let email = Email::parse(&format!("idle{number}@example.pe")).unwrap();
        let plan = PlanName::parse("free").unwrap();
        let account = Accounts::create(&*house.store, &email, &plan, house.clock.now()).await.unwrap();
        let (token, _) = new_token(&house.store, &account, 100 + number).await;
        let caller = house.caller_of(&token).await;
        let grant = house.admit(caller.unwrap_or_else(|refusal| panic!("{refusal:?}"))).await;
        accounts.push((account.id, grant.unwrap_or_else(|refusal| panic!("{refusal:?}")).charge.period));
    }
    let held = |accounts: &[(AccountId, Period)]| {
        accounts.iter().filter(|(id, period)| house.meters.unspent(*id, *period) > 0).count()
    };
    house.clock.advance(Duration::from_secs(2));
    house.store.fail(StoreErrorKind::Unavailable);
    assert!(house.meters.settle_idle().await.is_err());
    // The others are kept, until the store has taken a write.
    for _ in 0..10 {
        house.meters.settle_idle().await.unwrap();
    }
    assert_eq!(held(&accounts), usize::from(ACCOUNTS) - 1);
    assert!(!house.meters.store_takes_writes());
    house.store.fail(None);
    house.meters.note_write(true);
    house.meters.settle_idle().await.unwrap();
    assert_eq!(held(&accounts), 0);
}
