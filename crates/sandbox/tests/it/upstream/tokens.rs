//! The endpoint that gives out tokens, as its client sees it, and what its tokens open.

use std::time::Duration;

use kuraka_sandbox::upstream::{CLIENT_ID, CLIENT_SECRET, Delivery, Page, Replacement, Target, Upstream, VOUCHERS};
use tokio::time::{advance, pause, resume};

use super::client::{Reply, start};
use super::vouchers::{about, ask, post};

const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

fn endpoint() -> String {
    format!("/v1/clientesextranet/{CLIENT_ID}/oauth2/token/")
}

/// The form that is taken, its secret escaped as far as it can be.
fn form() -> String {
    let secret = CLIENT_SECRET.replace('.', "%2E");
    format!(
        "grant_type=client_credentials&scope=https%3A%2F%2Fapi.sunat.gob.pe%2Fv1%2Fcontribuyente%2Fcontribuyentes\
         &client_id={CLIENT_ID}&client_secret={secret}"
    )
}

async fn grant(upstream: &Upstream) -> Reply {
    post(upstream, &endpoint(), FORM, &form()).await
}

/// A good token.
pub(super) async fn token(upstream: &Upstream) -> String {
    grant(upstream).await.json()["access_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_right_form_is_given_a_token_for_an_hour() {
    let upstream = start().await;
    assert_eq!(
        upstream.token_url(),
        format!("http://{}/v1/clientesextranet/{{client_id}}/oauth2/token/", upstream.address())
    );
    let granted = grant(&upstream).await;
    assert_eq!((granted.status, &granted.json()["token_type"]), (200, &"JWT".into()));
    assert_eq!(granted.json()["expires_in"], 3_600);
}

/// Lets time pass at once. Exchanges are at the real pace, because a paused clock would end them.
async fn pass(time: Duration) {
    pause();
    advance(time).await;
    resume();
}

#[tokio::test]
async fn a_token_is_valid_until_its_end() {
    let upstream = start().await;
    let token = token(&upstream).await;
    // The exchanges of this test have the rest of the hour.
    pass(Duration::from_secs(3_600 - 20)).await;
    assert_eq!(ask(&upstream, &token, &about(&VOUCHERS[0])).await.status, 200);
    pass(Duration::from_secs(20)).await;
    assert_eq!(ask(&upstream, &token, &about(&VOUCHERS[0])).await.status, 401);
}

#[tokio::test]
async fn only_the_newest_hundred_tokens_are_kept() {
    let upstream = start().await;
    let mut given = Vec::new();
    for _ in 0..101 {
        given.push(token(&upstream).await);
    }
    for (number, token) in given.iter().enumerate() {
        let expected = if number == 0 { 401 } else { 200 };
        assert_eq!(ask(&upstream, token, &about(&VOUCHERS[0])).await.status, expected, "{number}");
    }
}

#[tokio::test]
async fn any_other_form_is_refused() {
    let upstream = start().await;
    let other_id = CLIENT_ID.replace("5a4d", "5a4e");
    let refused = [
        (endpoint(), FORM, form().replace("0001%2E50", "1.5")),
        (endpoint(), FORM, form().replace("client_credentials", "password")),
        (endpoint(), FORM, form().replace("contribuyentes&", "otros&")),
        (endpoint(), FORM, form().replace(CLIENT_ID, &other_id)),
        (endpoint().replace(CLIENT_ID, &other_id), FORM, form()),
        (endpoint(), "Content-Type: application/json", form()),
        (endpoint(), FORM, String::new()),
    ];
    for (path, head, form) in refused {
        let reply = post(&upstream, &path, head, &form).await;
        assert_eq!(
            (reply.status, &reply.json()["error"]),
            (401, &"unauthorized_client".into()),
            "{path} {head} {form}"
        );
    }
}

#[tokio::test]
async fn the_token_endpoint_and_the_service_have_separate_faults() {
    let upstream = start().await;
    upstream.fault(&Target::Token, Replacement::Body(200, r#"{"access_token":"{token}","expires_in":"60"}"#), 1);
    upstream.fault(&Target::Vouchers, Replacement::Status(503), 1);
    let granted = grant(&upstream).await.json();
    assert_eq!(granted["expires_in"], "60");
    let token = granted["access_token"].as_str().unwrap();
    assert_eq!(ask(&upstream, token, &about(&VOUCHERS[0])).await.status, 503);
    assert_eq!(ask(&upstream, token, &about(&VOUCHERS[0])).await.status, 200, "the token is a good one");

    upstream.fault(&Target::Token, Page::Firewall, 1);
    upstream.fault(&Target::Token, Delivery::Sliced, 1);
    assert_eq!(grant(&upstream).await.header("Content-Type"), Some("text/html"));
    assert_eq!(grant(&upstream).await.status, 200);
    assert_eq!(upstream.requests_in_all(&Target::Token), 3);
    assert_eq!(upstream.requests_in_all(&Target::Vouchers), 2);
}
