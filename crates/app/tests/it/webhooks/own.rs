//! What owners do with their webhooks.

use std::iter;
use std::sync::Arc;
use std::time::Duration;

use kuraka_app::webhooks::{CreateWebhookError, ResendResult, SendError, signature};
use kuraka_ports::{AccountId, MAX_WEBHOOKS_PER_ACCOUNT, TokenKind, Webhooks};
use tokio::task::{JoinSet, yield_now};

use super::{RUCS, Step, World, answered};

#[tokio::test]
async fn both_secrets_sign_for_a_day() {
    let world = World::new().await;
    let previous = world.webhook.secret.clone();
    assert!(previous.reveal().starts_with("whsec_") && previous.reveal().len() == 50);
    let secret = world.server.rotate(Some(world.account), world.webhook.id).await.unwrap().unwrap();
    world.publish("one", &RUCS, 1);
    world.settle().await;
    world.clock.advance(Duration::from_secs(24 * 3_600));
    world.publish("two", &RUCS, 1);
    world.settle().await;
    let got = world.receiver.got.lock().unwrap().clone();
    for (request, secrets) in got.iter().zip([vec![&secret, &previous], vec![&secret]]) {
        let expected = signature(secrets.into_iter(), &request.message, request.timestamp, &request.body);
        assert_eq!(request.signature, expected);
    }
}

#[tokio::test]
async fn a_delivery_is_sent_again_with_its_id() {
    let world = World::new().await;
    world.publish("one", &RUCS, 1);
    world.settle().await;
    let [first] = world.store.deliveries(world.webhook.id).await.unwrap().try_into().unwrap();
    let again = async |owner| world.server.send_again(owner, first.id).await.unwrap();
    assert!(matches!(again(Some(world.account)).await, Some(ResendResult::Now(_))));
    assert_eq!(again(Some(AccountId(99))).await, None);
    let got = world.got();
    assert_eq!((got.len(), &got[0].0, &got[0].1), (2, &got[1].0, &got[1].1));
}

#[tokio::test]
async fn an_account_has_three_attempts_at_a_time_tests_included() {
    let world = World::new().await;
    *world.receiver.hangs.lock().unwrap() = true;
    let mut tests = JoinSet::new();
    for _ in 0..50 {
        let (server, id) = (Arc::clone(&world.server), world.webhook.id);
        tests.spawn(async move { server.test(None, id).await });
    }
    for _ in 0..47 {
        let refused = tests.join_next().await.unwrap().unwrap();
        assert!(matches!(refused, Err(SendError::TooMany)), "{refused:?}");
    }
    world.publish("one", &RUCS, 1);
    assert_eq!(world.step().await, Step::NothingNew, "it waits for the tests");
    assert_eq!(world.bodies(), ["prueba"; 3]);
}

#[tokio::test]
async fn a_test_waits_for_a_permit_of_the_deliveries() {
    let world = World::new().await;
    let permits: Vec<_> = iter::from_fn(|| world.server.limits.try_permit().ok()).collect();
    assert_eq!(permits.len(), 16);
    let (server, id) = (Arc::clone(&world.server), world.webhook.id);
    let test = tokio::spawn(async move { server.test(None, id).await });
    for _ in 0..50 {
        yield_now().await;
    }
    assert!(world.got().is_empty());
    drop(permits);
    test.await.unwrap().unwrap().unwrap();
    assert_eq!(world.bodies(), ["prueba"]);
}

#[tokio::test]
async fn an_account_has_five_webhooks_at_most() {
    let world = World::new().await;
    for _ in 1..MAX_WEBHOOKS_PER_ACCOUNT {
        world.server.create(world.account, "https://example.pe/", false, TokenKind::Live).await.unwrap();
    }
    let refusal = world.server.create(world.account, "https://example.pe/", false, TokenKind::Live).await.unwrap_err();
    assert!(matches!(refusal, CreateWebhookError::TooMany), "{refusal:?}");
}

#[tokio::test]
async fn a_pending_delivery_is_attempted_at_once_when_asked() {
    let world = World::new().await;
    world.publish("one", &RUCS, 1);
    world.answer(answered(429), Some(3_600));
    world.settle().await;
    let [first] = world.store.deliveries(world.webhook.id).await.unwrap().try_into().unwrap();
    let again = async || world.server.send_again(None, first.id).await.unwrap();
    world.server.set_active(None, world.webhook.id, false).await.unwrap();
    assert_eq!(again().await, Some(ResendResult::WhenActive));
    world.server.set_active(None, world.webhook.id, true).await.unwrap();
    assert_eq!(again().await, Some(ResendResult::Soon));
    world.settle().await;
    assert_eq!(world.bodies().len(), 2);
}
