//! The order of the checks: path, method, token, account, media type, size, rate, quota and charge, body, fields.
//! Each request fails several checks, and the first one decides the error.

use kuraka_sandbox::sample;

use crate::app::{App, Owner, scene};
use crate::request::Request;

const TOO_LARGE: usize = 4_097;

fn bad_body(request: Request) -> Request {
    request.header("Content-Type", "text/plain").body("x".repeat(TOO_LARGE))
}

async fn code(request: Request) -> String {
    request.send().await.code()
}

/// A server on which this account has used its burst and its queries of the month.
async fn spent(queries: u64, burst: u64) -> (App, Owner) {
    let (app, owner) = scene().plan(queries, 1, burst).start_with_owner().await;
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    (app, owner)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn path_method_token_and_account_are_checked_in_this_order() {
    let (app, owner) = spent(1, 1).await;
    assert_eq!(code(bad_body(app.request("GET", "/nada").token("x"))).await, "route_not_found");
    assert_eq!(code(bad_body(app.request("PUT", "/ruc").token("x"))).await, "method_not_allowed");
    assert_eq!(code(bad_body(app.post("/ruc").token("x"))).await, "unauthenticated");
    for (change, message) in [
        ("UPDATE account SET status = 'unconfirmed'; UPDATE revision SET value = value + 1", "no está confirmado"),
        ("UPDATE account SET status = 'suspended'; UPDATE revision SET value = value + 1", "está suspendida"),
    ] {
        app.sql(change).await;
        let answer = crate::app::eventually(message, async || {
            let answer = bad_body(app.post("/ruc").token(&owner.token)).send().await;
            (answer.code() == "forbidden" && answer.body.contains(message)).then_some(answer)
        });
        assert_eq!(answer.await.header("www-authenticate"), None);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn media_type_size_and_rate_are_checked_in_this_order() {
    let (app, owner) = spent(1, 1).await;
    let post = || app.post("/ruc").token(&owner.token);
    assert_eq!(code(bad_body(post())).await, "unsupported_media_type");
    assert_eq!(code(post().json("x".repeat(TOO_LARGE))).await, "payload_too_large");
    assert_eq!(code(post().json("x")).await, "rate_limited");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn quota_body_and_fields_are_checked_in_this_order() {
    let (app, owner) = spent(1, 100).await;
    assert_eq!(code(app.post("/ruc").token(&owner.token).json("x")).await, "quota_exceeded");

    let (app, owner) = scene().start_with_owner().await;
    let refusal =
        async |body: &str| app.post("/ruc").token(&owner.token).json(body).send().await.refused("invalid_input");
    assert!(refusal(r#"["ruc"]"#).await.contains("objeto JSON"));
    assert!(refusal(r#"{"a":1}"#).await.contains("Falta el campo ruc"));
    assert!(refusal(r#"{"ruc":"1"}"#).await.contains("11 dígitos"));
}
