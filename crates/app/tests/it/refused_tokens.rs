//! Refused tokens: which of them are looked up in the store, and how often. `RELIABILITY_TOKENS` sets how many tokens
//! are presented.

use kuraka_app::{ApiToken, AuthenticateError};
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{AccountStatus, Accounts, Clock, TokenKey, Tokens};
use tokio::time::Instant;

use super::fixture::{TestApp, new_token, plan};
use super::reliability::{figure, number};

async fn app() -> TestApp {
    TestApp::with(&[plan("free", 1_000_000, 1_000, 1_000)]).await
}

/// A token with the checksum of another store.
fn invented() -> ApiToken {
    ApiToken::generate(kuraka_ports::TokenKind::Live, &TokenKey([1; 32]), getrandom::fill).unwrap()
}

/// A token that this store's servers made and that the store does not have.
fn gone() -> ApiToken {
    ApiToken::generate(kuraka_ports::TokenKind::Live, &MemoryStore::TOKEN_KEY, getrandom::fill).unwrap()
}

async fn is_refused(app: &TestApp, token: &ApiToken) -> bool {
    matches!(app.caller_of(token).await, Err(AuthenticateError::NotGenuine | AuthenticateError::Unknown))
}

#[tokio::test]
async fn a_revoked_token_is_looked_up_once() {
    let app = app().await;
    let (revoked, kept) = new_token(&app.store, &app.account, 50).await;
    let (other, other_kept) = new_token(&app.store, &app.account, 51).await;
    app.caller_of(&revoked).await.unwrap();
    app.store.revoke(None, kept.id, app.clock.now()).await.unwrap();
    app.credentials.watch().await.unwrap();
    assert!(is_refused(&app, &revoked).await);
    // Other changes do not make it known again.
    app.store.revoke(None, other_kept.id, app.clock.now()).await.unwrap();
    app.credentials.watch().await.unwrap();
    let asked = app.store.asked();
    for _ in 0..100 {
        assert!(is_refused(&app, &revoked).await);
    }
    assert_eq!(app.store.asked(), asked);
    assert!(is_refused(&app, &other).await);
    assert_eq!(app.store.asked(), asked + 1);
}

#[tokio::test]
async fn a_suspended_accounts_token_is_looked_up_once() {
    let app = app().await;
    let set = async |status| {
        app.store.set_status(app.account.id, status).await.unwrap();
        app.credentials.watch().await.unwrap();
    };
    set(AccountStatus::Suspended).await;
    assert!(matches!(app.caller().await, Err(AuthenticateError::Inactive(AccountStatus::Suspended))));
    let asked = app.store.asked();
    for _ in 0..100 {
        assert!(matches!(app.caller().await, Err(AuthenticateError::Inactive(AccountStatus::Suspended))));
    }
    assert_eq!(app.store.asked(), asked);
    set(AccountStatus::Active).await;
    assert!(app.caller().await.is_ok());
}

#[tokio::test]
async fn at_most_50_000_refused_tokens_are_remembered() {
    let app = app().await;
    let first = gone();
    let queries = async |token: &ApiToken| {
        let asked = app.store.asked();
        assert!(is_refused(&app, token).await);
        app.store.asked() - asked
    };
    assert_eq!(queries(&first).await, 1);
    for _ in 1..50_000 {
        assert_eq!(queries(&gone()).await, 1);
    }
    assert_eq!(queries(&first).await, 0);
    assert_eq!(queries(&gone()).await, 1);
    assert_eq!(queries(&first).await, 1, "forgotten with the others");
}

#[tokio::test]
async fn floods_of_bad_tokens_cost_no_queries() {
    let count = number("TOKENS", 20_000);
    let app = app().await;
    let flood = async |token: &dyn Fn() -> ApiToken| {
        let (asked, began) = (app.store.asked(), Instant::now());
        for _ in 0..count {
            assert!(is_refused(&app, &token()).await);
        }
        (app.store.asked() - asked, count as f64 / began.elapsed().as_secs_f64() / 1e3)
    };
    let revoked = gone();
    let (of_invented, of_revoked) = (flood(&invented).await, flood(&|| revoked.clone()).await);
    assert_eq!((of_invented.0, of_revoked.0), (0, 1));
    figure(
        "S2",
        &format!("{count} invented tokens, and one revoked token {count} times"),
        &format!("0 queries and 1; {:.0} and {:.0} refusals per ms (debug build)", of_invented.1, of_revoked.1),
    );
}
