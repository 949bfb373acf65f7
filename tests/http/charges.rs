//! Charges: one query for each call that passes every check before the charge, whatever its result, and nothing else.

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{KnownVoucher, Replacement, Target, VOUCHERS};
use serde_json::{Value, json};

use crate::app::scene;
use crate::sandbox::{PROVIDER, claim, sandbox};
use crate::shared::shared;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn found_not_found_and_invalid_input_each_cost_one() {
    let (app, owner) = shared().await;
    let mut used = 0;
    for (body, code) in [
        (format!("{{\"ruc\":\"{}\"}}", sample::COMPANY), "found"),
        (format!("{{\"ruc\":\"{}\"}}", sample::ABSENT), "document_not_found"),
        (format!("{{\"ruc\":\"{}\"}}", sample::BAD_CHECK_DIGIT), "invalid_input"),
        ("[]".to_owned(), "invalid_input"),
        (String::new(), "invalid_input"),
        ("{}".to_owned(), "invalid_input"),
    ] {
        for path in ["/ruc", "/api/ruc"] {
            assert_eq!(app.post(path).token(&owner.token).json(&body).send().await.code(), code, "{body}");
            used += 1;
            assert_eq!(app.used(&owner).await, used, "{path} {body}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn each_detail_of_a_company_costs_one_whatever_the_result() {
    let upstream = sandbox().await;
    let scene = scene().official(&upstream).provider(&upstream, PROVIDER).plan(1_000, 1_000, 1_000);
    let (app, owner) = scene.start_with_owner().await;
    let mut used = 0;
    let mut costs_one = async |ruc: &str, code: &str| {
        for path in ["/ruc-official", "/api/ruc-official"] {
            assert_eq!(app.post(path).token(&owner.token).ruc(ruc).send().await.code(), code, "{ruc}");
            used += 1;
            assert_eq!(app.used(&owner).await, used, "{path} {ruc}");
        }
    };
    costs_one(sample::COMPANY, "found").await;
    costs_one(sample::ABSENT, "document_not_found").await;
    costs_one(sample::BAD_CHECK_DIGIT, "invalid_input").await;
    upstream.fault(&Target::Official, Replacement::Status(500), usize::MAX);
    costs_one(sample::ON_BOTH_LISTS, "found").await;
    upstream.fault(&Target::provider(PROVIDER), Replacement::Status(500), usize::MAX);
    costs_one(sample::PERSON, "upstream_unavailable").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn each_voucher_costs_one_whatever_the_result() {
    let upstream = sandbox().await;
    let (app, owner) = scene().vouchers(&upstream).plan(1_000, 1_000, 1_000).start_with_owner().await;
    let known = |about: &str| -> &'static KnownVoucher { VOUCHERS.iter().find(|known| known.about == about).unwrap() };
    let mut used = 0;
    let mut costs_one = async |body: Value, code: &str| {
        for path in ["/cpe", "/api/cpe"] {
            let answer = app.post(path).token(&owner.token).json(body.to_string()).send().await;
            assert_eq!(answer.code(), code, "{body}");
            used += 1;
            assert_eq!(app.used(&owner).await, used, "{path} {body}");
        }
    };
    costs_one(claim(known("accepted")), "found").await;
    costs_one(claim(known("not reported")), "found").await;
    costs_one(claim(known("rejected for its date")), "invalid_input").await;
    costs_one(json!({}), "invalid_input").await;
    costs_one(claim(known("no status")), "upstream_unavailable").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_call_rejected_before_the_charge_is_free() {
    let (app, owner) = shared().await;
    let post = || app.post("/ruc").token(&owner.token);
    for (request, code) in [
        (app.post("/nada").token(&owner.token).ruc(sample::COMPANY), "route_not_found"),
        (app.request("GET", "/ruc").token(&owner.token), "method_not_allowed"),
        (app.post("/ruc").ruc(sample::COMPANY), "unauthenticated"),
        (post().header("Content-Type", "text/plain").body("x"), "unsupported_media_type"),
        (post().json("x".repeat(4_097)), "payload_too_large"),
    ] {
        assert_eq!(request.send().await.code(), code);
        assert_eq!(app.used(&owner).await, 0, "{code}");
    }
}
