//! Several servers, of which some are killed.

use std::task::{Context, Waker};
use std::time::Duration;

use kuraka_app::Watching;
use kuraka_app::watching::ChangesQuery;

use crate::fixture::{TestApp, plan};

use super::{RUCS, Step, World, numbers};

#[tokio::test]
async fn a_server_that_has_not_fetched_an_edition_yet_waits() {
    let world = World::new().await;
    world.publish("one", &RUCS, 1);
    world.settle().await;
    *world.feed.lags_at.lock().unwrap() = Some(0);
    assert_eq!(world.step().await, Step::NothingNew);
    assert_eq!(world.step().await, Step::Idle, "not asked again at once");
    *world.feed.lags_at.lock().unwrap() = None;
    world.publish("two", &RUCS, 1);
    world.pass(Duration::from_secs(5)).await;
    assert_eq!(world.bodies(), [numbers(0, 3), numbers(3, 6)]);
}

#[tokio::test]
async fn a_list_is_not_read_for_a_page_without_later_publications() {
    let world = World::new().await;
    let app = TestApp::with(&[plan("free", 1_000, 5, 10)]).await;
    let watching = Watching::new(world.store.clone(), world.feed.clone(), app.admission.clone());
    let call = app.admit(app.caller().await.unwrap()).await.unwrap();
    world.publish("one", &RUCS, 1);
    let asked = world.store.asked();
    let ask = async |from: Option<&str>| {
        let query = ChangesQuery { from, ..ChangesQuery::default() };
        watching.changes(&call, query).await.unwrap()
    };
    let newest = ask(None).await;
    assert_eq!(ask(Some(&newest.next)).await.next, newest.next);
    *world.feed.lags_at.lock().unwrap() = Some(0);
    assert!(!ask(Some(&newest.next)).await.page.is_last);
    assert_eq!(world.store.asked(), asked);
}

#[tokio::test]
async fn two_hundred_kills_during_deliveries_lose_and_skip_nothing() {
    let ((world, urls), mut published) = (World::with_three().await, 0);
    for kill in 0..200 {
        if kill % 3 == 0 {
            world.publish(&kill.to_string(), &RUCS, 1);
            published += 1;
        }
        // Killed before the first step that waits for anything, or after some of them.
        let mut step = Box::pin(world.step());
        for _ in 0..kill * 37 % 101 % 5 {
            if step.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
                step = Box::pin(world.step());
            }
        }
        drop(step);
        world.clock.advance(Duration::from_secs(20));
    }
    world.pass(Duration::from_secs(60)).await;
    let expected: Vec<_> = (0..published).map(|edition| numbers(3 * edition, 3 * edition + 3)).collect();
    for url in urls {
        let (mut ids, mut told) = (Vec::new(), Vec::new());
        for (id, body, _) in world.got_at(url) {
            match ids.iter().position(|known| *known == id) {
                // Repeated, and nothing else between.
                Some(at) => assert_eq!((at, told.last()), (ids.len() - 1, Some(&body))),
                None => {
                    ids.push(id);
                    told.push(body);
                }
            }
        }
        assert_eq!(told, expected);
    }
    let repeated = world.got().len() - 3 * expected.len();
    assert!(repeated > 20, "only {repeated} were killed after the receiver had the delivery");
}
