//! Owners' tokens: what one may be, who may end it, and where it leads.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use kuraka_app::own_tokens::{MOST, MOST_NETWORKS};
use kuraka_app::{AuthenticateError, CreateToken, CreateTokenError, OwnTokens};
use kuraka_ports::{AccountId, Tokens};

use super::house::{House, plan};

async fn house() -> (House, OwnTokens) {
    let house = House::with(&[plan("free", 1_000, 1_000, 1_000)]).await;
    let own = OwnTokens::new(Arc::clone(&house.store) as Arc<dyn Tokens>, house.clock.clone(), getrandom::fill);
    (house, own)
}

fn wish(name: &str) -> CreateToken {
    CreateToken { name: name.to_owned(), ..CreateToken::default() }
}

#[tokio::test]
async fn a_token_leads_to_its_owner_until_its_last_day_is_over() {
    let (house, own) = house().await;
    let token = own.create(house.account.id, &CreateToken { days: Some(2), ..wish(" ventas ") }).await.unwrap();
    let run = async || house.caller_of(&token).await;
    assert_eq!(run().await.unwrap().account, house.account.id);
    let listed = own.list(house.account.id).await.unwrap();
    assert_eq!(listed.last().unwrap().name, "ventas");
    house.clock.advance(Duration::from_secs(2 * 86_400 - 1));
    assert!(run().await.is_ok());
    house.clock.advance(Duration::from_secs(1));
    assert!(matches!(run().await, Err(AuthenticateError::Unknown)), "remembered or not");
}

#[tokio::test]
async fn a_token_with_networks_leads_nowhere_from_elsewhere() {
    let (house, own) = house().await;
    let allowed = ["10.1.0.0/16", " 192.0.2.7 ", "2001:db8::/32"].map(str::to_owned).to_vec();
    let token = own.create(house.account.id, &CreateToken { allowed, ..wish("oficina") }).await.unwrap();
    let from = async |address: Option<&str>| {
        let address = address.map(|address| address.parse::<IpAddr>().unwrap());
        house.admission.authenticate(token.reveal().as_bytes(), || address).await.is_ok()
    };
    for good in ["10.1.2.3", "192.0.2.7", "2001:db8::1"] {
        assert!(from(Some(good)).await, "{good}");
    }
    for bad in [Some("10.2.0.1"), Some("192.0.2.8"), Some("::1"), None] {
        assert!(!from(bad).await, "{bad:?}");
    }
    let refused = house.caller_of(&token).await;
    assert!(matches!(refused, Err(AuthenticateError::Elsewhere(id)) if id == house.account.id));
}

#[tokio::test]
async fn what_cannot_be_a_token_is_refused_with_its_reason() {
    let (house, own) = house().await;
    let create = async |wish: &CreateToken| own.create(house.account.id, wish).await;
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
    let many = vec!["10.0.0.1".to_owned(); MOST_NETWORKS + 1];
    assert!(matches!(
        create(&CreateToken { allowed: many, ..wish("a") }).await,
        Err(CreateTokenError::TooManyNetworks)
    ));
    assert_eq!(own.list(house.account.id).await.unwrap().len(), 1, "the one that was there");
}

#[tokio::test]
async fn an_account_has_so_many_live_tokens_and_revoked_ones_do_not_count() {
    let (house, own) = house().await;
    for number in 1..MOST {
        own.create(house.account.id, &wish(&number.to_string())).await.unwrap();
    }
    assert!(matches!(own.create(house.account.id, &wish("one more")).await, Err(CreateTokenError::TooMany)));
    let first = own.list(house.account.id).await.unwrap()[0].id;
    assert!(!own.revoke(AccountId(house.account.id.0 + 1), first).await.unwrap(), "nobody else's");
    assert!(own.revoke(house.account.id, first).await.unwrap());
    assert!(own.create(house.account.id, &wish("one more")).await.is_ok());
}

#[tokio::test]
async fn the_latest_use_is_noted_once() {
    let (house, own) = house().await;
    let caller = house.caller().await.unwrap();
    house.credentials.note_uses().await.unwrap();
    assert_eq!(own.list(house.account.id).await.unwrap()[0].last_used, None, "known is not used");
    house.admit(caller).await.unwrap();
    house.credentials.note_uses().await.unwrap();
    let noted = own.list(house.account.id).await.unwrap()[0].last_used;
    assert_eq!(noted, Some("2026-11-20T15:00:00Z".parse().unwrap()));
    let asked = house.store.asked();
    house.credentials.note_uses().await.unwrap();
    assert_eq!(house.store.asked(), asked, "nothing new, nothing written");
}
