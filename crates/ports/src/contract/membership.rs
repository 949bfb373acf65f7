//! What [`Membership`] promises.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::{Heartbeat, Membership, ServerId};

#[derive(Debug)]
pub struct Meeting<S> {
    pub store: Arc<S>,
    /// One, if servers cannot share the store.
    pub most_servers: u32,
}

pub async fn one_server_counts_one<S: Membership>(subject: Meeting<S>) {
    assert_eq!(beat(&subject, 1).await.servers.get(), 1);
}

/// A heartbeat may be repeated after a lost answer.
pub async fn a_server_is_counted_once_however_often_it_beats<S: Membership>(subject: Meeting<S>) {
    for _ in 0..3 {
        assert_eq!(beat(&subject, 1).await.servers.get(), 1);
    }
}

pub async fn each_server_that_beats_is_counted<S: Membership>(subject: Meeting<S>) {
    for server in 1..=3 {
        let servers = u32::from(server).min(subject.most_servers);
        assert_eq!(beat(&subject, server).await.servers.get(), servers);
    }
}

pub async fn a_server_that_left_is_not_counted<S: Membership>(subject: Meeting<S>) {
    beat(&subject, 1).await;
    beat(&subject, 2).await;
    leave(&subject, 2).await;
    assert_eq!(beat(&subject, 1).await.servers.get(), 1);
}

/// Also a server that was never there.
pub async fn a_server_can_leave_twice_and_come_back<S: Membership>(subject: Meeting<S>) {
    leave(&subject, 1).await;
    beat(&subject, 1).await;
    leave(&subject, 1).await;
    leave(&subject, 1).await;
    assert_eq!(beat(&subject, 1).await.servers.get(), 1);
}

pub async fn many_servers_can_beat_at_once<S: Membership>(subject: Meeting<S>) {
    let mut servers = JoinSet::new();
    for server in 1..=8 {
        let store = Arc::clone(&subject.store);
        servers.spawn(async move { store.beat(ServerId([server; 16])).await });
    }
    for heartbeat in servers.join_all().await {
        heartbeat.expect("a store that works");
    }
    assert_eq!(beat(&subject, 1).await.servers.get(), 8.min(subject.most_servers));
}

/// The clock never goes back.
pub async fn the_store_always_has_a_clock_or_never<S: Membership>(subject: Meeting<S>) {
    let first = beat(&subject, 1).await.now;
    let second = beat(&subject, 1).await.now;
    assert_eq!(first.is_some(), second.is_some());
    assert!(first <= second, "{first:?} and then {second:?}");
}

async fn beat<S: Membership>(subject: &Meeting<S>, server: u8) -> Heartbeat {
    subject.store.beat(ServerId([server; 16])).await.expect("a store that works")
}

async fn leave<S: Membership>(subject: &Meeting<S>, server: u8) {
    subject.store.leave(ServerId([server; 16])).await.expect("a store that works");
}
