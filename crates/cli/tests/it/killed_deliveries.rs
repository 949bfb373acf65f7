//! Servers that are killed while they deliver to a webhook.

use std::sync::Arc;

use kuraka_adapters::store::Store;
use kuraka_domain::Ruc;
use kuraka_ports::contract::samples::watch_limits;
use kuraka_ports::{AccountId, Accounts, Email, WatchListId, WatchedRuc};
use kuraka_sandbox::sample;

use super::postgres::database;
use super::program::{DEADLINE, Home};
use super::reliability::{figure, number};
use super::webhooks::{ANA, receiver};

/// [`ANA`] watches [`sample::DESCRIBED`].
pub(crate) async fn watch(home: &Home) -> (Arc<dyn Store>, AccountId) {
    let store = home.store_address().open().await.unwrap();
    let account = Accounts::find(&*store, &Email::parse(ANA).unwrap()).await.unwrap().unwrap().id;
    let watched = WatchedRuc { ruc: Ruc::parse(sample::DESCRIBED).unwrap(), code: None };
    store.change(WatchListId::live(account), &[watched], &[], watch_limits(1)).await.unwrap().unwrap();
    (store, account)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_while_it_delivers_is_replaced_within_a_minute() {
    let home = Home::new().store(&database().await).with("KURAKA__WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.0/8");
    home.import(sample::PADRON);
    home.token(ANA);
    watch(&home).await;
    let (url, got) = receiver();
    home.run(&["webhook", "create", "--email", ANA, "--url", &url]).succeeded();

    // `make reliability` sets a higher number.
    let kills = number("WEBHOOK_KILLS", 1);
    let (mut serving, mut repeated) = (home.serve(), 0);
    for round in 0..kills {
        let condition = if round % 2 == 0 { "NO HABIDO" } else { "HABIDO" };
        home.import(&sample::changed_padron(condition, 1_240));
        let next = || got.recv_timeout(2 * DEADLINE).unwrap();
        let held = next();
        // Another server runs when this one is killed, whose receiver has the delivery and has not answered.
        let other = home.serve();
        serving.kill();
        serving = other;
        let again = next();
        assert_eq!((&again.message, &again.body), (&held.message, &held.body));
        assert!(held.body.contains(&format!("\"despues\":\"{condition}\"")), "{}", held.body);
        again.answer.send("200 OK").unwrap();
        repeated += 1;
    }
    serving.stop();
    assert!(got.try_recv().is_err(), "nothing is delivered twice but by a kill");
    figure(
        "W3",
        &format!("{kills} servers killed while they deliver"),
        &format!("{repeated} deliveries repeated by another, 0 lost"),
    );
}
