//! Charges: one query for each call that passes every check before the charge, whatever its result, and nothing else.

use kuraka_sandbox::sample;

use crate::app::scene;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn found_not_found_and_invalid_input_each_cost_one() {
    let (app, owner) = scene().plan(1_000, 1_000, 1_000).start_with_owner().await;
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
async fn a_call_rejected_before_the_charge_is_free() {
    let (app, owner) = scene().plan(1_000, 1_000, 1_000).start_with_owner().await;
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
