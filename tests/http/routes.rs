//! Paths and methods: what exists answers, what does not says so in the envelope, and nothing is a near miss.

use kuraka_sandbox::sample;

use crate::app::{App, Owner, scene};

async fn scene_with_owner() -> (App, Owner) {
    let app = scene().start().await;
    let owner = app.owner().await;
    (app, owner)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_path_that_does_not_exist_is_its_own_code() {
    let (app, owner) = scene_with_owner().await;
    for path in [
        "/",
        "//ruc",
        "/ruc/",
        "/ruc/x",
        "/RUC",
        "/x/../ruc",
        "/./ruc",
        "/ruc;a=b",
        "/ruc%2f",
        "/ruc%00",
        "/ruc.json",
        "/api",
        "/api/",
        "/api/api/ruc",
        "/api//ruc",
        "/cpe/x",
        "/ruc-official/x",
        "/healthz",
        "/readyz",
        "/metrics",
        "/favicon.ico",
        "/%ff%fe",
    ] {
        let answer = app.post(path).token(&owner.token).ruc(sample::COMPANY).send().await;
        assert_eq!(answer.status, 404, "{path}");
        answer.refused("route_not_found");
        // Without a token too: paths come first. What a browser is shown at the root is the panel's.
        if path != "/" {
            app.request("GET", path).send().await.refused("route_not_found");
        }
    }
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_method_that_does_not_exist_is_told_which_does() {
    let (app, owner) = scene_with_owner().await;
    for path in ["/ruc", "/api/ruc"] {
        for method in ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT2", "FOO", "post"] {
            let answer = app.request(method, path).token(&owner.token).ruc(sample::COMPANY).send().await;
            answer.refused("method_not_allowed");
            assert_eq!(answer.must("allow"), "POST", "{method} {path}");
        }
        let answer = app.request("HEAD", path).send().await;
        assert_eq!((answer.status, answer.must("allow"), answer.body.as_str()), (405, "POST", ""));
    }
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_query_and_an_absolute_form_change_nothing() {
    let (app, owner) = scene_with_owner().await;
    let absolute = format!("http://{}/ruc", app.api);
    for path in ["/ruc?", "/ruc?ruc=20999999990", absolute.as_str()] {
        app.post(path).token(&owner.token).ruc(sample::COMPANY).send().await.found();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_escaped_letter_is_the_letter() {
    let (app, owner) = scene_with_owner().await;
    // As RFC 3986 has it (6.2.2.2); no check is made on the raw path that this could go round.
    app.post("/%72uc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    app.post("/%72uc").ruc(sample::COMPANY).send().await.refused("unauthenticated");
}
