//! What [`Membership`] promises.

use std::sync::Arc;

use super::together;
use crate::{Heartbeat, Membership, ServerId};

#[derive(Debug)]
pub struct Meeting<S> {
    pub store: Arc<S>,
    /// One, if servers cannot share the store.
    pub most_servers: u32,
}

/// A heartbeat may be repeated after a lost answer, and a server may leave twice, or before it came.
pub async fn each_server_is_counted_from_its_first_heartbeat_until_it_leaves<S: Membership>(subject: Meeting<S>) {
    leave(&subject, 1).await;
    for (server, servers) in [(1, 1), (1, 1), (2, 2), (2, 2), (3, 3)] {
        assert_eq!(beat(&subject, server).await.servers.get(), subject.most_servers.min(servers));
    }
    for server in [2, 3, 3] {
        leave(&subject, server).await;
    }
    assert_eq!(beat(&subject, 1).await.servers.get(), 1);
    leave(&subject, 1).await;
    // The clock never goes back.
    let [first, second] = [beat(&subject, 1).await, beat(&subject, 1).await];
    assert_eq!((first.servers.get(), first.now.is_some()), (1, second.now.is_some()));
    assert!(first.now <= second.now, "{first:?} and then {second:?}");
}

pub async fn many_servers_can_beat_at_once<S: Membership>(subject: Meeting<S>) {
    let beat_once = |store: Arc<S>, server| async move { store.beat(ServerId([server; 16])).await };
    for heartbeat in together(&subject.store, 1..=8, beat_once).await {
        heartbeat.expect("a store that works");
    }
    assert_eq!(beat(&subject, 1).await.servers.get(), 8.min(subject.most_servers));
}

async fn beat<S: Membership>(subject: &Meeting<S>, server: u8) -> Heartbeat {
    subject.store.beat(ServerId([server; 16])).await.expect("a store that works")
}

async fn leave<S: Membership>(subject: &Meeting<S>, server: u8) {
    subject.store.leave(ServerId([server; 16])).await.expect("a store that works");
}
