//! Unknown tokens with a right checksum: how many are looked up in the store, and that known tokens are not affected.
//! `RELIABILITY_TOKENS` sets how many tokens are presented.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{ApiToken, AuthenticateError, Caller, Places};
use kuraka_ports::{Clock, NewToken, StoreErrorKind, Tokens};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::fixture::{TestApp, new_token, plan};
use super::reliability::{figure, number};

const HERE: &str = "192.0.2.1";

async fn app() -> TestApp {
    TestApp::with(&[plan("free", 1_000_000, 1_000, 1_000)]).await
}

fn invented() -> ApiToken {
    ApiToken::generate(getrandom::fill).unwrap()
}

async fn present(app: &TestApp, token: &ApiToken, from: &str) -> Result<Arc<Caller>, AuthenticateError> {
    let from: IpAddr = from.parse().unwrap();
    let places = Places::new(1);
    app.admission.authenticate(token.reveal().as_bytes(), &places, || Some(from)).await.map(|(caller, _)| caller)
}

/// Presents as many unknown tokens as are looked up in a minute.
async fn exhaust(app: &TestApp, from: &str) {
    for _ in 0..20 {
        let refused = present(app, &invented(), from).await;
        assert!(matches!(refused, Err(AuthenticateError::Unknown)), "{:?}", refused.err());
    }
}

fn is_too_many(answer: &Result<Arc<Caller>, AuthenticateError>) -> bool {
    matches!(answer, Err(AuthenticateError::TooManyUnknown { retry_after: 1 }))
}

#[tokio::test]
async fn above_20_a_minute_the_store_is_not_asked() {
    let app = app().await;
    exhaust(&app, HERE).await;
    assert!(is_too_many(&present(&app, &invented(), HERE).await));
    let asked = app.store.asked();
    for _ in 0..1_000 {
        assert!(is_too_many(&present(&app, &invented(), HERE).await));
    }
    assert_eq!(app.store.asked(), asked);
    assert!(matches!(present(&app, &invented(), "192.0.2.2").await, Err(AuthenticateError::Unknown)));
    app.clock.advance(Duration::from_secs(60));
    assert!(matches!(present(&app, &invented(), HERE).await, Err(AuthenticateError::Unknown)));
}

#[tokio::test]
async fn known_tokens_of_the_same_network_are_not_affected() {
    let app = app().await;
    app.caller().await.unwrap();
    let (uncached, _) = new_token(&app.store, &app.account, 50).await;
    exhaust(&app, HERE).await;
    assert!(is_too_many(&present(&app, &invented(), HERE).await));
    let asked = app.store.asked();
    assert!(present(&app, &app.token, HERE).await.is_ok());
    assert_eq!(app.store.asked(), asked, "a cached token needs no store");
    assert!(present(&app, &uncached, HERE).await.is_ok());

    let (new, _) = new_token(&app.store, &app.account, 51).await;
    app.clock.advance(Duration::from_secs(1));
    assert!(present(&app, &new, HERE).await.is_ok(), "created a second ago");
    assert!(is_too_many(&present(&app, &invented(), HERE).await));
}

#[tokio::test]
async fn a_revoked_token_is_looked_up_at_most_once_above_the_limit() {
    let app = app().await;
    let (revoked, kept) = new_token(&app.store, &app.account, 50).await;
    exhaust(&app, HERE).await;
    assert!(is_too_many(&present(&app, &invented(), HERE).await));
    app.store.revoke(kept.id, app.clock.now()).await.unwrap();
    assert!(matches!(present(&app, &revoked, HERE).await, Err(AuthenticateError::Unknown)));
    let asked = app.store.asked();
    for _ in 0..100 {
        assert!(is_too_many(&present(&app, &revoked, HERE).await));
    }
    assert_eq!(app.store.asked(), asked);
}

#[tokio::test]
async fn an_ipv6_network_of_64_bits_counts_as_one_client() {
    let app = app().await;
    for number in 0..20 {
        let refused = present(&app, &invented(), &format!("2001:db8:0:1:{number}::{number}")).await;
        assert!(matches!(refused, Err(AuthenticateError::Unknown)));
    }
    assert!(is_too_many(&present(&app, &invented(), "2001:db8:0:1:ffff:ffff:ffff:ffff").await));
    assert!(!is_too_many(&present(&app, &invented(), "2001:db8:0:2::1").await));
    exhaust(&app, "::ffff:192.0.2.1").await;
    assert!(is_too_many(&present(&app, &invented(), HERE).await), "the same IPv4 address");
}

#[tokio::test]
async fn many_known_tokens_of_one_network_are_all_let_in_at_once() {
    let app = Arc::new(app().await);
    let mut calls = JoinSet::new();
    for _ in 0..150 {
        let token = invented();
        let new = NewToken {
            account: app.account.id,
            name: "new".to_owned(),
            digest: token.digest(),
            prefix: token.prefix().to_owned(),
            created: app.clock.now(),
            expires: None,
            allowed: Vec::new(),
        };
        Tokens::create(&*app.store, &new).await.unwrap();
        let app = Arc::clone(&app);
        calls.spawn(async move { present(&app, &token, HERE).await.is_ok() });
    }
    assert!(calls.join_all().await.iter().all(|let_in| *let_in));
    assert!(matches!(present(&app, &invented(), HERE).await, Err(AuthenticateError::Unknown)), "none was counted");
}

#[tokio::test]
async fn above_the_limit_an_unreachable_store_is_reported_as_such() {
    let app = app().await;
    let (uncached, _) = new_token(&app.store, &app.account, 50).await;
    exhaust(&app, HERE).await;
    app.store.fail(StoreErrorKind::Unavailable);
    for _ in 0..3 {
        assert!(matches!(present(&app, &uncached, HERE).await, Err(AuthenticateError::Store(_))));
    }
    app.store.fail(None);
    app.clock.advance(Duration::from_secs(1));
    assert!(present(&app, &uncached, HERE).await.is_ok());
    assert!(is_too_many(&present(&app, &invented(), HERE).await));
}

#[tokio::test]
async fn floods_of_bad_tokens_cost_no_queries() {
    let count = number("TOKENS", 20_000);
    let app = app().await;
    let places = Places::new(1);
    let (asked, began) = (app.store.asked(), Instant::now());
    for number in 0..count {
        let mistyped = format!("kur_{number:030}000000");
        let refused = app.admission.authenticate(mistyped.as_bytes(), &places, || None).await;
        assert!(matches!(refused, Err(AuthenticateError::Unknown)));
    }
    let of_checksum = began.elapsed();
    assert_eq!(app.store.asked(), asked);

    let began = Instant::now();
    for _ in 0..count {
        assert!(present(&app, &invented(), HERE).await.is_err());
    }
    let of_limit = began.elapsed();
    let asked = app.store.asked() - asked;
    // The filter is filled once; the manual clock stands still.
    assert_eq!(asked, 20 + 1);
    figure(
        "S2",
        &format!("{count} tokens with a wrong checksum, and {count} unknown ones with the right one from one address"),
        &format!(
            "0 and {asked} queries; {:.0} and {:.0} refusals per ms (debug build)",
            count as f64 / of_checksum.as_secs_f64() / 1e3,
            count as f64 / of_limit.as_secs_f64() / 1e3
        ),
    );
}
