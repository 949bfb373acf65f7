//! Paths and methods: unknown ones get their own codes, and similar paths are unknown.

use kuraka_sandbox::sample;

use crate::app::{App, Owner, scene};

async fn scene_with_owner() -> (App, Owner) {
    let app = scene().start().await;
    let owner = app.owner().await;
    (app, owner)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_unknown_path_is_route_not_found() {
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
        // Without a token too, because the path is checked first. The panel answers a browser at the root.
        if path != "/" {
            app.request("GET", path).send().await.refused("route_not_found");
        }
    }
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_wrong_method_gets_the_allowed_ones() {
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
async fn a_query_string_and_an_absolute_url_are_ignored() {
    let (app, owner) = scene_with_owner().await;
    let absolute = format!("http://{}/ruc", app.api);
    for path in ["/ruc?", "/ruc?ruc=20999999990", absolute.as_str()] {
        app.post(path).token(&owner.token).ruc(sample::COMPANY).send().await.found();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_escaped_letter_in_a_path_is_unescaped() {
    let (app, owner) = scene_with_owner().await;
    // RFC 3986 (6.2.2.2). The server checks no raw path, so this bypasses nothing.
    app.post("/%72uc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    app.post("/%72uc").ruc(sample::COMPANY).send().await.refused("unauthenticated");
}
