//! The bounds on the number of connections, and which connection is displaced.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, advance, sleep};

use super::client::{GET, POST, WAIT, connect_with, limits, run};
use crate::limits::Limits;
use crate::table::{ConnectionHandle, Table};

fn bounded(most: usize, per_address: usize) -> Arc<Table> {
    let trusted = vec!["10.0.0.0/8".parse().unwrap()];
    let limits = Limits {
        max_connections: most,
        max_connections_per_address: Some(per_address),
        trusted_proxies: trusted.into(),
        ..limits()
    };
    Arc::new(Table::new(limits, Arc::new(())))
}

fn open(table: &Arc<Table>, client: &str) -> Option<ConnectionHandle> {
    table.open(Some(client.parse::<IpAddr>().unwrap()))
}

/// A connection that has just had an answer.
fn served(table: &Arc<Table>, client: &str) -> ConnectionHandle {
    let handle = open(table, client).unwrap();
    handle.is_busy();
    handle.waits(Instant::now());
    handle
}

fn displaced<const N: usize>(handles: [&ConnectionHandle; N]) -> [bool; N] {
    handles.map(ConnectionHandle::is_displaced)
}

#[test]
fn the_longest_unused_gives_way_then_the_longest_idle_then_the_new_one() {
    run(async {
        let table = bounded(4, 100);
        let second = Duration::from_secs(1);
        let idle_long = served(&table, "192.0.2.1");
        advance(second).await;
        let idle = served(&table, "192.0.2.2");
        advance(second).await;
        let unused_long = open(&table, "192.0.2.3").unwrap();
        advance(second).await;
        let unused = open(&table, "192.0.2.4").unwrap();
        // An idle connection that is used again is no longer the longest idle one.
        let busy = open(&table, "192.0.2.5").unwrap();
        assert_eq!(displaced([&idle_long, &idle, &unused_long, &unused]), [false, false, true, false]);
        busy.is_busy();
        let newer = open(&table, "192.0.2.6").unwrap();
        newer.is_busy();
        assert_eq!(displaced([&idle_long, &idle, &unused, &busy]), [false, false, true, false]);
        idle_long.is_busy();
        idle_long.waits(Instant::now());
        let another = open(&table, "192.0.2.7").unwrap();
        another.is_busy();
        assert_eq!(displaced([&idle_long, &idle, &busy, &newer]), [false, true, false, false]);
        idle_long.is_busy();
        assert!(open(&table, "192.0.2.8").is_none());
        drop(another);
        assert!(open(&table, "192.0.2.8").is_some());
    });
}

#[test]
fn a_bound_per_address_displaces_only_connections_of_that_address() {
    run(async {
        let table = bounded(100, 2);
        let other = open(&table, "192.0.2.1").unwrap();
        let own: Vec<_> = (0..2).map(|_| open(&table, "192.0.2.2").unwrap()).collect();
        let third = open(&table, "::ffff:192.0.2.2").unwrap();
        assert_eq!(displaced([&other, &own[0], &own[1], &third]), [false, true, false, false]);
        third.is_busy();
        own[1].is_busy();
        assert!(open(&table, "192.0.2.2").is_none());
        let hosts: Vec<_> = (1..=3).map(|host| open(&table, &format!("2001:db8:0:1::{host}")).unwrap()).collect();
        assert_eq!(displaced([&hosts[0], &hosts[1], &hosts[2]]), [true, false, false]);
        let proxies: Vec<_> = (0..10).map(|_| open(&table, "10.1.2.3").unwrap()).collect();
        assert!(proxies.iter().all(|handle| !handle.is_displaced()));
    });
}

#[test]
fn the_bound_holds_whatever_comes_and_goes() {
    run(async {
        let table = bounded(50, 20);
        let mut handles: Vec<ConnectionHandle> = Vec::new();
        for number in 0..5_000_usize {
            advance(Duration::from_millis(1)).await;
            if let Some(handle) = open(&table, &format!("192.0.2.{}", number * 7 % 5)) {
                match number % 3 {
                    0 => {}
                    1 => handle.is_busy(),
                    _ => {
                        handle.is_busy();
                        handle.waits(Instant::now());
                    }
                }
                handles.push(handle);
            }
            if number % 4 == 0 && !handles.is_empty() {
                handles.swap_remove(number * 31 % handles.len());
            }
            assert!(handles.iter().filter(|handle| !handle.is_displaced()).count() <= 50);
        }
        assert!(handles.iter().any(ConnectionHandle::is_displaced));
        drop(handles);
        let all: Vec<_> = (0..50).map(|number| open(&table, &format!("192.0.2.{number}")).unwrap()).collect();
        assert!(all.iter().all(|handle| !handle.is_displaced()));
    });
}

#[test]
fn a_displaced_connection_is_closed_at_once_and_a_call_is_finished_first() {
    run(async {
        let table = bounded(3, 100);
        let mut idle = connect_with(&table, 4_096).await;
        idle.send(POST).await;
        idle.answer().await;
        let mut unused = connect_with(&table, 4_096).await;
        unused.send("GET /sm").await;
        let mut waiting = connect_with(&table, 4_096).await;
        waiting.send(WAIT).await;
        sleep(Duration::from_secs(1)).await;
        // Each displaces the previous one: the unused one, then the idle one.
        let mut next = connect_with(&table, 4_096).await;
        assert!(unused.closed().await.1 < 1.1);
        next.send(WAIT).await;
        sleep(Duration::from_millis(100)).await;
        let mut last = connect_with(&table, 4_096).await;
        assert!(idle.closed().await.1 < 1.3);
        last.send(GET).await;
        for client in [&mut last, &mut waiting, &mut next] {
            assert!(client.answer().await.starts_with("HTTP/1.1 200 OK"));
        }
    });
}
