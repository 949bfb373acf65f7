//! Content types: the server accepts JSON in UTF-8 and no similar type.

use kuraka_sandbox::sample;

use crate::shared::shared;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn json_in_utf_8_is_accepted() {
    let (app, owner) = shared().await;
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
async fn a_byte_order_mark_before_json_is_ignored() {
    let (app, owner) = shared().await;
    let body = format!("{{\"ruc\":\"{}\"}}", sample::COMPANY);
    let post = |body: Vec<u8>| app.post("/ruc").token(&owner.token).json(body);
    post(format!("\u{feff}{body}").into_bytes()).send().await.found();
    post(format!("\u{feff}\u{feff}{body}").into_bytes()).send().await.refused("invalid_input");
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let utf_16 = format!("\u{feff}{body}").encode_utf16().flat_map(order).collect();
        post(utf_16).send().await.refused("invalid_input");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn other_media_types_are_rejected_and_free() {
    let (app, owner) = shared().await;
    let body = format!("{{\"ruc\":\"{}\"}}", sample::COMPANY);
    for content_type in [
        "",
        "json",
        "text/json",
        "text/plain",
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
    for (path, media_type) in [("/ruc", "application/json"), ("/ruc-ssco", "application/x-www-form-urlencoded")] {
        for charset in ["latin1", "utf-16", "\"windows-1252\""] {
            let content_type = format!("{media_type}; charset={charset}");
            let post = app.post(path).token(&owner.token).header("Content-Type", content_type).body("{}");
            let message = post.send().await.refused("unsupported_media_type");
            assert!(message.starts_with("El cuerpo debe estar en UTF-8."), "{message}");
        }
    }
    assert_eq!(app.used(&owner).await, 0);
}
