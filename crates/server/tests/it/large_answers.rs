//! Large answers take a place of their account until they have been read.

use std::sync::Arc;

use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::test;
use jiff::Timestamp;
use kuraka_app::ApiToken;
use kuraka_ports::TokenKind;
use kuraka_ports::fake::{ManualClock, MemoryStore};
use kuraka_sandbox::sample;
use serde_json::json;

use super::served::served;
use super::test_api::{api, company, registry, token_of_owner};

/// A company with a large record.
const LARGE: &str = sample::COMPANY;
/// One whose record needs no place.
const SMALL: &str = sample::DESCRIBED;

fn header<'a>(response: &'a ServiceResponse<BoxBody>, name: &str) -> &'a str {
    response.headers().get(name).unwrap().to_str().unwrap()
}

#[actix_web::test]
async fn an_account_has_few_large_answers_that_it_does_not_read() {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH)));
    let registry = registry([company(LARGE, 70_000), company(SMALL, 60_000)]);
    let (api, token) = api(store.clone(), clock.clone(), registry).await;
    let test_token = token_of_owner(&*store, &*clock, TokenKind::Test).await;
    let app = test::init_service(served(api)).await;
    let ask = async |token: &ApiToken, ruc: &str| {
        let request = test::TestRequest::post().uri("/ruc").set_json(json!({ "ruc": ruc }));
        let request = request.insert_header(("Authorization", format!("Bearer {}", token.reveal())));
        test::call_service(&app, request.to_request()).await
    };
    let left = |response: &ServiceResponse<BoxBody>, left: u64| {
        let limits = header(response, "RateLimit");
        assert!(limits.contains(&format!("\"monthly\";r={left};")), "{limits}");
    };
    // The API of these tests has two places for an account.
    let first = ask(&token, LARGE).await;
    let second = ask(&token, LARGE).await;
    assert_eq!([first.status(), second.status()], [StatusCode::OK; 2]);
    left(&second, 998);
    let refused = ask(&token, LARGE).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(["Retry-After", "X-Error-Code"].map(|name| header(&refused, name)), ["1", "rate_limited"]);
    left(&refused, 998);
    let of_test = ask(&test_token, LARGE).await;
    assert_eq!(of_test.status(), StatusCode::OK, "test calls have places of their own");
    assert_eq!(header(&of_test, "X-Source-Status"), "sandbox");
    assert_eq!(ask(&token, SMALL).await.status(), StatusCode::OK, "small answers need no place");
    assert!(test::read_body(first).await.len() > 70_000);
    assert_eq!(ask(&token, LARGE).await.status(), StatusCode::OK);
}
