//! What [`MeasuredHours`] promises.

use std::sync::Arc;

use super::together;
use crate::{CallCounts, MeasuredHour, MeasuredHours, ServerId};

fn measured(hour: i64, calls: u64) -> MeasuredHour {
    let counts = CallCounts { calls, failed: 1, bad_minutes: 1 << 59, times: [(25, calls), (u64::MAX, 0)].into() };
    MeasuredHour { hour, minutes: (1 << 60) - 1, subjects: [("/operation".to_owned(), counts)].into() }
}

async fn put<S: MeasuredHours>(store: &S, server: u8, number: u64, hour: &MeasuredHour) {
    store.put_hour(ServerId([server; 16]), number, hour).await.expect("a store that answers");
}

async fn hours<S: MeasuredHours>(store: &S, from: i64, until: i64) -> Vec<MeasuredHour> {
    store.hours(from, until).await.expect("a store that answers")
}

pub async fn an_hour_is_found_as_it_was_put_last<S: MeasuredHours>(store: Arc<S>) {
    assert_eq!(hours(&*store, 0, 9).await, []);
    for (hour, calls) in [(2, 6), (1, 7), (3, 7), (2, 7), (2, 7)] {
        put(&*store, 1, hour as u64, &measured(hour, calls)).await;
    }
    assert_eq!(hours(&*store, 1, 3).await, [measured(1, 7), measured(2, 7)]);
    store.forget_hours(3).await.expect("a store that answers");
    assert_eq!(hours(&*store, 0, 9).await, [measured(3, 7)]);
}

/// Also one server's, whose clock was set back.
pub async fn servers_do_not_replace_each_others_hours<S: MeasuredHours>(store: Arc<S>) {
    together(&store, 0..8, |store, server| async move {
        for number in 0..2 {
            put(&*store, server, number, &measured(1, 7)).await;
        }
    })
    .await;
    assert_eq!(hours(&*store, 1, 2).await, vec![measured(1, 7); 16]);
}
