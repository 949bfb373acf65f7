//! Sets of credentials: used in turn, not used for a while after a refusal.

use kuraka_ports::SourceErrorKind;
use kuraka_sandbox::upstream::{CLIENT_SECRET, Replacement, Target, VOUCHERS};

use super::House;

const REFUSED: SourceErrorKind = SourceErrorKind::Credentials;

impl House {
    async fn kind(&self) -> SourceErrorKind {
        self.ask(&VOUCHERS[0]).await.unwrap_err().kind
    }
}

#[tokio::test]
async fn sets_are_used_in_turn() {
    let house = House::with([CLIENT_SECRET; 3]).await;
    for _ in 0..9 {
        house.status().await;
    }
    assert_eq!(house.requests(), (3, 9), "each set has a token of its own");
}

#[tokio::test]
async fn a_call_goes_on_with_the_next_set_after_a_refusal() {
    let house = House::with(["wrong", CLIENT_SECRET]).await;
    for _ in 0..10 {
        assert_eq!(house.status().await, "1");
    }
    assert_eq!(house.requests(), (2, 10));
    house.advance(299);
    house.status().await;
    house.status().await;
    assert_eq!(house.requests().0, 2);
    house.advance(1);
    house.status().await;
    house.status().await;
    assert_eq!(house.requests().0, 3, "rested long enough, it is tried again");
}

#[tokio::test]
async fn without_a_set_left_no_request_is_sent() {
    let house = House::with(["wrong", "also wrong"]).await;
    for _ in 0..5 {
        assert_eq!(house.kind().await, REFUSED);
    }
    assert_eq!(house.requests(), (2, 0));
}

#[tokio::test]
async fn a_second_401_in_one_call_means_refused_credentials() {
    let house = House::build().await;
    house.upstream.fault(&Target::Vouchers, Replacement::Status(401), 2);
    assert_eq!(house.kind().await, REFUSED);
    assert_eq!(house.requests(), (2, 2));
    assert_eq!(house.kind().await, REFUSED, "rested");
    assert_eq!(house.requests(), (2, 2));
    house.advance(300);
    assert_eq!(house.status().await, "1");
}

#[tokio::test]
async fn each_refusal_of_the_token_endpoint_has_its_kind() {
    for (status, body, kind) in [
        (400, r#"{"error":"invalid_client"}"#, REFUSED),
        (400, "<html>", SourceErrorKind::Unreadable),
        (401, "", REFUSED),
        (403, "{}", REFUSED),
        (403, "<html>", SourceErrorKind::Refused),
        (404, "{}", SourceErrorKind::Unreadable),
        (429, "", SourceErrorKind::Throttled { retry_after: None }),
        (503, "", SourceErrorKind::Unavailable),
    ] {
        let house = House::build().await;
        house.upstream.fault(&Target::Token, Replacement::Body(status, body), 1);
        assert_eq!(house.kind().await, kind, "{status} {body}");
        assert_eq!(house.requests(), (1, 0));
    }
}

#[tokio::test]
async fn no_error_holds_a_credential() {
    let house = House::with(["the-secret"]).await;
    let error = house.ask(&VOUCHERS[0]).await.unwrap_err();
    let told = format!("{error:?} {error}");
    assert!(!told.contains("the-secret") && !told.contains(kuraka_sandbox::upstream::CLIENT_ID), "{told}");
}
