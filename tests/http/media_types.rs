//! Content types: the server accepts JSON in UTF-8 and no similar type.

use kuraka_sandbox::sample;

use crate::app::scene;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn json_in_utf_8_is_accepted() {
    let app = scene().start().await;
    let owner = app.owner().await;
    for content_type in [
        "application/json",
        "Application/JSON",
        "application/json;charset=utf-8",
        "application/json; charset=UTF-8",
        "application/json; charset=\"utf-8\"",
        " application/json ",
    ] {
        let body = format!("{{\"ruc\":\"{}\"}}", sample::COMPANY);
        app.post("/ruc").token(&owner.token).header("Content-Type", content_type).body(body).send().await.found();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn other_media_types_are_rejected_and_free() {
    let app = scene().start().await;
    let owner = app.owner().await;
    let body = format!("{{\"ruc\":\"{}\"}}", sample::COMPANY);
    for content_type in [
        "",
        "json",
        "text/json",
        "text/plain",
        "application/json; charset=latin1",
        "application/json; charset=utf-16",
        "application/json; profile=x",
        "application/vnd.api+json",
        "application/problem+json",
        "application/jsonx",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json, text/plain",
        "*/*",
    ] {
        let post = app.post("/ruc").token(&owner.token).header("Content-Type", content_type).body(&body);
        let answer = post.send().await;
        assert_eq!(answer.status, 415, "{content_type}");
        answer.refused("unsupported_media_type");
    }
    app.post("/ruc").token(&owner.token).body(&body).send().await.refused("unsupported_media_type");
    assert_eq!(app.used(&owner).await, 0);
}
