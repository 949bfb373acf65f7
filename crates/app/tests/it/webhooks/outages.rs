//! Receivers that fail, in simulated time.

use std::time::Duration;

use kuraka_ports::{WebhookStatus, Webhooks};

use super::{DEAD, RUCS, World, answered, numbers};

const HOUR: Duration = Duration::from_secs(3_600);

#[tokio::test]
async fn nothing_is_lost_while_a_receiver_is_dead_for_an_hour() {
    let world = World::new().await;
    // Attempts at 0 s, 5 s and about 5 and 35 minutes fail, and the next is two hours later.
    for _ in 0..4 {
        world.answer(DEAD, None);
    }
    for (edition, each) in [("one", 40), ("two", 1), ("three", 2)] {
        world.publish(edition, &RUCS, each);
        world.pass(HOUR / 3).await;
    }
    let first = numbers(0, 100);
    assert!(world.bodies().iter().all(|body| *body == first), "later deliveries wait");
    world.pass(2 * HOUR).await;
    let delivered = world.bodies().split_off(4);
    assert_eq!(delivered, [first, numbers(100, 120), numbers(120, 123), numbers(123, 129)]);
    let times: Vec<_> = world.got().iter().map(|(_, _, at)| *at).collect();
    for (at, (least, most)) in [(5, 7), (305, 340), (2_105, 2_330), (9_305, 10_300)].into_iter().enumerate() {
        assert!((least..=most).contains(&(times[at + 1] - times[0])), "{times:?}");
    }
}

#[tokio::test]
async fn five_days_without_a_success_disable_a_webhook() {
    let world = World::new().await;
    world.publish("one", &RUCS, 1);
    for _ in 0..100 {
        world.answer(DEAD, None);
    }
    for day in 1..=7 {
        for _ in 0..24 {
            world.clock.advance(HOUR);
            world.settle().await;
        }
        assert_eq!(world.status().await == WebhookStatus::Failed, day > 5, "day {day}");
    }
    let found = world.store.webhook(None, world.webhook.id).await.unwrap().unwrap();
    let attempts = world.bodies().len();
    assert_eq!((found.status, found.failures as usize), (WebhookStatus::Failed, attempts));
    assert!((10..=13).contains(&attempts), "{attempts}");
    world.receiver.answers.lock().unwrap().clear();
    world.server.set_active(None, world.webhook.id, true).await.unwrap();
    world.settle().await;
    assert_eq!(world.status().await, WebhookStatus::Active);
    assert_eq!(world.bodies().len(), attempts + 1);
}

#[tokio::test]
async fn a_receiver_that_asks_for_a_wait_gets_it() {
    let world = World::new().await;
    world.publish("one", &RUCS, 1);
    world.answer(answered(429), Some(600));
    world.settle().await;
    world.pass(Duration::from_secs(599)).await;
    assert_eq!(world.bodies().len(), 1);
    world.pass(Duration::from_secs(62)).await;
    assert_eq!(world.bodies().len(), 2);
}
