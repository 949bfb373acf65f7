//! Owners' tokens: creation, revocation, expiry and networks.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use kuraka_app::own_tokens::{MAX_ACTIVE, MAX_NETWORKS};
use kuraka_app::{AuthenticateError, ConcurrencyLimit, CreateToken, CreateTokenError, OwnTokens};
use kuraka_ports::{AccountId, Tokens};

use super::fixture::{TestApp, delete_old_rows, plan};

async fn app() -> (TestApp, OwnTokens) {
    let app = TestApp::with(&[plan("free", 1_000, 1_000, 1_000)]).await;
    let own = OwnTokens::new(Arc::clone(&app.store) as Arc<dyn Tokens>, app.clock.clone(), getrandom::fill);
    (app, own)
}

fn wish(name: &str) -> CreateToken {
    CreateToken { name: name.to_owned(), ..CreateToken::default() }
}

#[tokio::test]
async fn a_token_works_until_the_end_of_its_last_day() {
    let (app, own) = app().await;
    let token = own.create(app.account.id, &CreateToken { days: Some(2), ..wish(" ventas ") }).await.unwrap();
    let run = async || app.caller_of(&token).await;
    assert_eq!(run().await.unwrap().account, app.account.id);
    let listed = own.tokens.list(app.account.id).await.unwrap();
    assert_eq!(listed.last().unwrap().name, "ventas");
    app.clock.advance(Duration::from_secs(2 * 86_400 - 1));
    assert!(run().await.is_ok());
    app.clock.advance(Duration::from_secs(1));
    assert!(matches!(run().await, Err(AuthenticateError::Unknown)), "remembered or not");
}

#[tokio::test]
async fn a_token_with_networks_is_refused_from_other_addresses() {
    let (app, own) = app().await;
    let allowed = ["10.1.0.0/16", " 192.0.2.7 ", "2001:db8::/32"].map(str::to_owned).to_vec();
    let token = own.create(app.account.id, &CreateToken { allowed, ..wish("oficina") }).await.unwrap();
    let from = async |address: Option<&str>| {
        let address = address.map(|address| address.parse::<IpAddr>().unwrap());
        app.admission.authenticate(token.reveal().as_bytes(), &ConcurrencyLimit::new(1), || address).await.is_ok()
    };
    for good in ["10.1.2.3", "192.0.2.7", "2001:db8::1"] {
        assert!(from(Some(good)).await, "{good}");
    }
    for bad in [Some("10.2.0.1"), Some("192.0.2.8"), Some("::1"), None] {
        assert!(!from(bad).await, "{bad:?}");
    }
    let refused = app.caller_of(&token).await;
    assert!(matches!(refused, Err(AuthenticateError::AddressNotAllowed(id)) if id == app.account.id));
}

#[tokio::test]
async fn an_invalid_new_token_is_refused_with_a_reason() {
    let (app, own) = app().await;
    let create = async |wish: &CreateToken| own.create(app.account.id, wish).await;
    for name in ["", "  ", "two\nlines", &"x".repeat(101)] {
        assert!(matches!(create(&wish(name)).await, Err(CreateTokenError::Name)), "{name:?}");
    }
    for days in [0, 3_651, u32::MAX] {
        assert!(
            matches!(create(&CreateToken { days: Some(days), ..wish("a") }).await, Err(CreateTokenError::Days)),
            "{days}"
        );
    }
    for bad in ["", "10.0.0.0/33", "office", "10.0.0.0-10.0.0.9"] {
        let refused = create(&CreateToken { allowed: vec![bad.to_owned()], ..wish("a") }).await;
        assert!(matches!(refused, Err(CreateTokenError::Network(text)) if text == bad), "{bad:?}");
    }
    let many = vec!["10.0.0.1".to_owned(); MAX_NETWORKS + 1];
    assert!(matches!(
        create(&CreateToken { allowed: many, ..wish("a") }).await,
        Err(CreateTokenError::TooManyNetworks)
    ));
    assert_eq!(own.tokens.list(app.account.id).await.unwrap().len(), 1, "the one that was there");
}

#[tokio::test]
async fn revoked_tokens_do_not_count_towards_the_most() {
    let (app, own) = app().await;
    for number in 1..MAX_ACTIVE {
        own.create(app.account.id, &wish(&number.to_string())).await.unwrap();
    }
    assert!(matches!(own.create(app.account.id, &wish("one more")).await, Err(CreateTokenError::TooMany)));
    let first = own.tokens.list(app.account.id).await.unwrap()[0].id;
    assert!(!own.revoke(AccountId(app.account.id.0 + 1), first).await.unwrap(), "only the owner's");
    assert!(own.revoke(app.account.id, first).await.unwrap());
    assert!(own.create(app.account.id, &wish("one more")).await.is_ok());
}

#[tokio::test]
async fn a_use_is_written_to_the_store_once() {
    let (app, own) = app().await;
    let caller = app.caller().await.unwrap();
    app.credentials.note_uses().await.unwrap();
    assert_eq!(own.tokens.list(app.account.id).await.unwrap()[0].last_used, None, "known is not used");
    app.admit(caller).await.unwrap();
    app.credentials.note_uses().await.unwrap();
    let noted = own.tokens.list(app.account.id).await.unwrap()[0].last_used;
    assert_eq!(noted, Some("2026-11-20T15:00:00Z".parse().unwrap()));
    let asked = app.store.asked();
    app.credentials.note_uses().await.unwrap();
    assert_eq!(app.store.asked(), asked, "nothing new, nothing written");
}

#[tokio::test]
async fn an_ended_token_is_kept_for_90_days() {
    const DAY: Duration = Duration::from_secs(86_400);
    let (app, own) = app().await;
    own.create(app.account.id, &CreateToken { days: Some(30), ..wish("expires") }).await.unwrap();
    own.revoke(app.account.id, app.kept.id).await.unwrap();
    let names = async || -> Vec<String> {
        delete_old_rows(&app.store, &app.clock).await;
        own.tokens.list(app.account.id).await.unwrap().into_iter().map(|token| token.name).collect()
    };
    app.clock.advance(90 * DAY);
    assert_eq!(names().await, [app.kept.name.as_str(), "expires"]);
    app.clock.advance(DAY);
    assert_eq!(names().await, ["expires"]);
    app.clock.advance(30 * DAY);
    assert_eq!(names().await, Vec::<String>::new());
}
