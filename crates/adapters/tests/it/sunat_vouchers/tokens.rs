//! Tokens: requested once for all callers, kept for their life in monotonic time, renewed when refused.

use std::sync::Arc;
use std::time::Duration;

use jiff::Span;
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::{SourceErrorKind, VoucherValidator};
use kuraka_sandbox::upstream::{Delivery, Replacement, Target, VOUCHERS};
use tokio::task::JoinSet;

use super::{House, voucher};

impl House {
    /// So many callers at the same time, each with the first voucher; how many were answered.
    async fn crowd(&self, callers: usize) -> usize {
        let mut crowd = JoinSet::new();
        for _ in 0..callers {
            let service = Arc::clone(&self.service);
            crowd.spawn(async move { service.validate(voucher(&VOUCHERS[0])).await.is_ok() });
        }
        crowd.join_all().await.into_iter().filter(|answered| *answered).count()
    }
}

#[tokio::test]
async fn a_hundred_callers_without_a_token_request_one() {
    let house = House::build().await;
    house.upstream.fault(&Target::Token, Delivery::Late(Duration::from_millis(50)), 1);
    assert_eq!(house.crowd(100).await, 100);
    assert_eq!(house.requests(), (1, 100));
}

#[tokio::test]
async fn a_token_is_renewed_in_the_background_at_four_fifths() {
    let house = House::build().await;
    for _ in 0..3 {
        house.status().await;
    }
    house.advance(2_879);
    house.status().await;
    assert_eq!(house.requests(), (1, 4));
    house.advance(1);
    // No call waits for the renewal, so ask until it is there.
    while house.requests().0 < 2 {
        house.status().await;
    }
    let before = house.requests().0;
    house.advance(2_000);
    house.status().await;
    assert_eq!(house.requests().0, before, "the new token is in use");
}

#[tokio::test]
async fn a_renewal_that_fails_leaves_the_old_token_in_use() {
    let house = House::build().await;
    house.status().await;
    house.upstream.fault(&Target::Token, Replacement::Status(500), usize::MAX);
    house.advance(2_900);
    while house.requests().0 < 2 {
        assert_eq!(house.status().await, "1");
    }
    assert_eq!(house.status().await, "1");
    house.advance(700);
    let error = house.ask(&VOUCHERS[0]).await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Unavailable, "its life is over");
    house.upstream.heal();
    assert_eq!(house.status().await, "1");
}

#[tokio::test]
async fn jumps_of_the_wall_clock_do_not_affect_tokens() {
    let house = House::build().await;
    house.status().await;
    for hours in [-24, 24, -1, 1, 24 * 365] {
        house.clock.set(NOW.checked_add(Span::new().hours(hours)).unwrap());
        assert_eq!(house.status().await, "1");
    }
    assert_eq!(house.requests(), (1, 6));
}

#[tokio::test]
async fn an_invalid_token_life_counts_as_a_minute() {
    const GOOD: &str = r#"{"access_token":"{token}","expires_in":"90"}"#;
    let odd = [
        r#"{"access_token":"{token}","expires_in":0}"#,
        r#"{"access_token":"{token}","expires_in":-1}"#,
        r#"{"access_token":"{token}","expires_in":1.5}"#,
        r#"{"access_token":"{token}","expires_in":"soon"}"#,
        r#"{"access_token":"{token}","expires_in":null}"#,
        r#"{"access_token":"{token}"}"#,
    ];
    let absurd = r#"{"access_token":"{token}","expires_in":18446744073709551615}"#;
    let lives = odd.map(|body| (body, 60)).into_iter().chain([(GOOD, 90), (absurd, 3_600)]);
    for (body, seconds) in lives {
        let house = House::build().await;
        house.upstream.fault(&Target::Token, Replacement::Body(200, body), 1);
        assert_eq!(house.crowd(20).await, 20, "{body}");
        house.advance(seconds * 4 / 5 - 1);
        house.status().await;
        assert_eq!(house.requests().0, 1, "{body}");
        house.advance(seconds - seconds * 4 / 5 + 1);
        house.status().await;
        assert_eq!(house.requests().0, 2, "{body}");
    }
}

#[tokio::test]
async fn an_invalid_token_is_never_sent() {
    let bodies = [
        "<html>",
        "",
        "[]",
        "{}",
        r#"{"access_token":""}"#,
        r#"{"access_token":null}"#,
        r#"{"access_token":7}"#,
        r#"{"access_token":"two words"}"#,
        r#"{"access_token":"a\r\nX-Evil: 1"}"#,
        r#"{"access_token":"a","access_token":"b"}"#,
    ];
    let house = House::build().await;
    for body in bodies {
        house.upstream.fault(&Target::Token, Replacement::Body(200, body), 1);
        assert_eq!(house.ask(&VOUCHERS[0]).await.unwrap_err().kind, SourceErrorKind::Unreadable, "{body}");
    }
    assert_eq!(house.requests(), (bodies.len() as u64, 0));
    assert_eq!(house.status().await, "1");
}

#[tokio::test]
async fn a_dropped_call_leaves_its_token_request_to_the_next_call() {
    let house = House::build().await;
    house.upstream.fault(&Target::Token, Delivery::Late(Duration::from_millis(200)), 1);
    let asked = tokio::time::timeout(Duration::from_millis(50), house.ask(&VOUCHERS[0]));
    assert!(asked.await.is_err());
    assert_eq!(house.status().await, "1");
    assert_eq!(house.requests(), (1, 1));
}
