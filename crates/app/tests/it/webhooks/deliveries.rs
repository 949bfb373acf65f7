//! What is delivered, and in which order.

use std::time::Duration;

use kuraka_ports::{StoreErrorKind, TokenKind, Webhooks};

use super::{RUCS, Step, World, answered, numbers};

#[tokio::test]
async fn a_new_webhook_is_told_only_what_is_published_later() {
    let world = World::new().await;
    assert_eq!(world.step().await, Step::Idle, "nothing is sent at its creation");
    world.publish("one", &RUCS, 1);
    let late = world.server.create(world.account, "https://example.pe/otro", false, TokenKind::Live).await.unwrap();
    world.settle().await;
    assert_eq!(world.bodies(), ["0,1,2"]);
    assert!(world.store.deliveries(late.id).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_list_that_cannot_be_read_delays_its_webhook_only() {
    let (world, _) = World::with_three().await;
    world.publish("one", &RUCS, 1);
    let leased = world.deliver.lease().await.unwrap().unwrap();
    world.store.fail(StoreErrorKind::Unavailable);
    assert!(world.deliver.deliver(&leased).await.is_err());
    world.store.fail(None);
    world.settle().await;
    assert_eq!(world.bodies(), ["0,1,2"; 2], "without waiting");
    world.pass(Duration::from_secs(20)).await;
    assert_eq!(world.bodies(), ["0,1,2"; 3]);
}

#[tokio::test]
async fn a_delivery_has_at_most_100_changes_of_one_edition() {
    let world = World::new().await;
    world.publish("one", &RUCS, 80);
    world.publish("two", &RUCS[..1], 2);
    world.settle().await;
    assert_eq!(world.bodies(), [numbers(0, 100), numbers(100, 200), numbers(200, 240), numbers(240, 242)]);
    let ids: std::collections::HashSet<_> = world.got().into_iter().map(|(id, ..)| id).collect();
    assert_eq!(ids.len(), 4, "each delivery has its own id");
}

#[tokio::test]
async fn each_attempt_sends_the_same_body_with_the_same_id() {
    let world = World::new().await;
    world.publish("one", &["20131312955", RUCS[0]], 1);
    for _ in 0..3 {
        world.answer(answered(500), None);
    }
    world.settle().await;
    // Both would change what the feed gives after the cursor.
    world.watch("20131312955").await;
    world.publish("two", &RUCS[..1], 1);
    world.pass(std::time::Duration::from_secs(3_600)).await;
    let got = world.got();
    assert_eq!(world.bodies(), ["1", "1", "1", "1", "2"]);
    assert!(got[..4].iter().all(|(id, ..)| *id == got[0].0) && got[4].0 != got[0].0, "{got:?}");
}

#[tokio::test]
async fn a_webhook_goes_on_where_the_record_begins() {
    let world = World::new().await;
    world.server.set_active(None, world.webhook.id, false).await.unwrap();
    world.publish("one", &RUCS, 1);
    world.publish("two", &RUCS, 1);
    *world.feed.first.lock().unwrap() = 3;
    world.server.set_active(None, world.webhook.id, true).await.unwrap();
    world.pass(std::time::Duration::from_secs(60)).await;
    assert_eq!(world.bodies(), ["3,4,5"]);
}
