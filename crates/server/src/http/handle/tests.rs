//! A call that panics more than once is refunded once; and places for large answers.

#[path = "../../../tests/it/test_api.rs"]
mod test_api;

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use actix_http::Request;
use actix_web::body;
use actix_web::dev::RequestHead;
use actix_web::http::StatusCode;
use actix_web::test::TestRequest;
use actix_web::web::Data;
use jiff::Timestamp;
use kuraka_app::ApiToken;
use kuraka_ports::fake::{ManualClock, MemoryStore, ScriptedRegistry};
use kuraka_ports::{Accounts, Email, TokenKind};
use serde_json::json;

use super::super::admission::CheckedRequest;
use super::super::context::CallTerms;
use super::super::documents::Documents;
use super::super::endpoint::Endpoint;
use super::super::instance::{Instance, Instances, MakeTest, TestLimits};
use super::super::mcp;
use super::super::operations::ENDPOINTS;
use super::super::route::Route;
use super::*;
use crate::metrics::Metrics;
use test_api::api;

/// A request with this token and body.
fn request(token: &ApiToken, body: &str) -> Request {
    let request = TestRequest::post().insert_header(("Authorization", format!("Bearer {}", token.reveal())));
    request.insert_header(("Content-Type", "application/json")).set_payload(body.to_owned()).to_request()
}

/// The context of a call that costs a query.
fn context<'a>(api: &'a Api, head: &'a RequestHead) -> RequestContext<'a> {
    let Endpoint { operation, .. } = ENDPOINTS.into_iter().find(|endpoint| endpoint.operation.cost == 1).unwrap();
    let route = Route::Operation { prefix: "", name: operation.name, operation, is_legacy: false, parameter: None };
    RequestContext::begin(api, head, route, CallTerms::new(0, operation, false))
}

#[actix_web::test]
async fn a_call_that_panics_twice_is_refunded_once() {
    let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
    let (api, token) = api(Arc::new(MemoryStore::new()), clock, ScriptedRegistry::empty()).await;
    let mut left = Vec::new();
    for panics in 0..3 {
        let mut request = request(&token, "{}");
        let payload = request.take_payload();
        let context = context(&api, request.head());
        let (_request, call) = CheckedRequest::admit(&context, payload).await.ok().unwrap();
        for _ in 0..panics {
            let response = handle(&context, async { panic!("a test") }).await;
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            assert!(response.headers().contains_key("RateLimit"));
        }
        left.push(api.admission.limit_status(&call.caller).left.unwrap());
    }
    // The first call did not panic; the others are free.
    assert_eq!(left, [999, 999, 999]);
}

#[actix_web::test]
async fn an_account_has_few_large_answers_that_it_does_not_read() {
    let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
    let (api, token) = api(Arc::new(MemoryStore::new()), clock, ScriptedRegistry::empty()).await;
    let answer = async |bytes| {
        let mut request = request(&token, "{}");
        let payload = request.take_payload();
        let context = context(&api, request.head());
        let (_request, call) = CheckedRequest::admit(&context, payload).await.ok().unwrap();
        let content = "x".repeat(bytes);
        let response = handle(&context, async { Ok(ApiResponse::with_json(Duration::ZERO, content)) }).await;
        (response, api.admission.limit_status(&call.caller).left.unwrap(), call.caller.account)
    };
    // The API of these tests has two places for an account.
    let (first, ..) = answer(70_000).await;
    let (_second, left, account) = answer(70_000).await;
    let (refused, after, _) = answer(70_000).await;
    assert_eq!((refused.status(), left, after), (StatusCode::TOO_MANY_REQUESTS, 998, 998));
    assert_eq!(refused.headers().get("Retry-After").unwrap(), "1");
    assert_eq!(refused.headers().get("X-Error-Code").unwrap(), "rate_limited");
    assert!(api.places(TokenKind::Test).take(account).is_some(), "test calls have places of their own");
    assert_eq!(answer(60_000).await.0.status(), StatusCode::OK, "small answers need no place");
    assert_eq!(body::to_bytes(first.into_body()).await.unwrap(), "x".repeat(70_000));
    assert_eq!(answer(70_000).await.0.status(), StatusCode::OK);
}

/// So that none is refused after its charge. An array has one place, and its messages are counted, not it.
#[actix_web::test]
async fn a_call_of_a_tool_has_its_place_before_it_runs() {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH)));
    let (api, token) = api(store.clone(), clock, ScriptedRegistry::empty()).await;
    let (calls, messages) = (Cell::new(0), Cell::new(0));
    let call = async |_: &'static str, _: Request| {
        calls.set(calls.get() + 1);
        tokio::task::yield_now().await;
        messages.set(api.concurrency[0].in_progress().max(messages.get()));
        let envelope = json!({"code": "found", "data": "x".repeat(70_000)});
        Response::with_body(StatusCode::OK, BoxBody::new(envelope.to_string()))
    };
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "consultar_ruc"}});
    let (one, three) = (message.to_string(), json!(vec![message; 3]).to_string());
    let send = async |body: &str| mcp::answer(&api, 0, request(&token, body), &call).await;
    let owner = Accounts::find(&*store, &Email::parse("ana@example.pe").unwrap()).await.unwrap().unwrap().id;
    let [first, second] = [(); 2].map(|()| api.places(TokenKind::Live).take(owner).unwrap());
    for body in [&one, &three] {
        assert_eq!(send(body).await.status(), StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!(calls.get(), 0);
    drop(first);
    let unread = send(&one).await;
    assert_eq!(unread.status(), StatusCode::OK);
    assert_eq!(send(&one).await.status(), StatusCode::TOO_MANY_REQUESTS, "its place is taken until it is read");
    drop(unread);
    assert_eq!(send(&three).await.status(), StatusCode::OK);
    assert_eq!((calls.get(), messages.get()), (4, 3), "only messages have permits");
    drop(second);
    let operation = ENDPOINTS[0].operation.name;
    let (page, found) = (api.metrics.print().unwrap(), format!("{{operation=\"{operation}\",code=\"found\"}} 4"));
    assert!(page.contains(&found), "{page}");
}
