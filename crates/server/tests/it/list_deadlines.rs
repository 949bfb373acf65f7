//! A list of vouchers is answered at its deadline, or before a stopping server drops it, whatever the source does.

use std::sync::Arc;
use std::time::Duration;

use actix_web::test;
use kuraka_app::ValidateVoucher;
use kuraka_ports::fake::{MemoryStore, ScriptedRegistry, ScriptedValidator, TokioClock};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, pause};

use super::served::served;
use super::test_api::api_validating;

/// Sends a list of two vouchers to a server whose source never answers. Returns the time and the answer.
async fn answer_of_a_silent_source(drain_ends: Option<Duration>) -> (Duration, Value) {
    pause();
    let clock = Arc::new(TokioClock::at("2026-11-20T15:00:00Z".parse().unwrap()));
    let source = ScriptedValidator::new("source");
    source.hang(true);
    let vouchers = ValidateVoucher::new(Arc::new(source), 32);
    let store = Arc::new(MemoryStore::new());
    let (mut api, token) = api_validating(store, clock, ScriptedRegistry::empty(), vouchers).await;
    let started = Instant::now();
    let (_sender, drained) = watch::channel(drain_ends.map(|after| started + after));
    api.drain_ends = drained;
    let app = test::init_service(served(api)).await;
    let lines = ["20999990062|01|F001|1|15/01/2026|118.00", "20999990062|01|F001|2|15/01/2026|118.00", "x"];
    let request = test::TestRequest::post()
        .uri("/cpe-multiple")
        .insert_header(("Authorization", format!("Bearer {}", token.reveal())))
        .set_json(json!({ "comprobantes": lines }));
    let response = test::call_service(&app, request.to_request()).await;
    assert_eq!(response.status(), 200);
    (started.elapsed(), test::read_body_json(response).await)
}

fn codes(answer: &Value) -> Vec<&str> {
    answer["data"]["resultados"].as_array().unwrap().iter().map(|item| item["code"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn a_list_is_answered_after_30_seconds() {
    let (took, answer) = answer_of_a_silent_source(None).await;
    assert_eq!(took.as_secs(), 30);
    assert_eq!(codes(&answer), ["upstream_unavailable", "upstream_unavailable", "invalid_input"]);
    assert_eq!(answer["data"]["resultados"][0]["retryable"], true);
}

#[actix_web::test]
async fn a_stopping_server_answers_a_list_before_its_drain_ends() {
    let (took, answer) = answer_of_a_silent_source(Some(Duration::from_secs(14))).await;
    assert_eq!(took.as_secs(), 14);
    assert_eq!(codes(&answer), ["upstream_unavailable", "upstream_unavailable", "invalid_input"]);
}
