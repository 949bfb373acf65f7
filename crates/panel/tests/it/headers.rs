//! What a browser may do with our pages, on every route, whatever it answers.

use actix_web::http::header::{self, HeaderName};
use kuraka_panel::routes::{Method, ROUTES};

use crate::browser::{Browser, Shown};
use crate::stage::{Stage, filled_in};

fn check(shown: &Shown, path: &str) {
    let header = |name: &HeaderName| shown.header(name);
    let policy = header(&header::CONTENT_SECURITY_POLICY);
    for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.split("; ").any(|found| found == part), "{path}: {part} is not in {policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{path}: {policy}");
    assert_eq!(header(&header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{path}");
    assert_eq!(header(&header::REFERRER_POLICY), "same-origin", "{path}");
    assert!(!header(&header::PERMISSIONS_POLICY).is_empty(), "{path}");
    let kept = if path.starts_with("/assets/") && shown.status.is_success() { "immutable" } else { "no-store" };
    assert!(header(&header::CACHE_CONTROL).contains(kept), "{path}: {}", header(&header::CACHE_CONTROL));
    if !shown.body.is_empty() {
        assert!(!header(&header::CONTENT_TYPE).is_empty(), "{path}");
    }
}

#[actix_web::test]
async fn every_answer_of_the_panel_is_sealed() {
    for stage in [Stage::new().await, Stage::at("https://kuraka.example").await] {
        let mut owner = stage.signed_in("ana@kuraka.example").await;
        let token = stage.token(&mut owner, "facturación").await;
        let mut stranger = Browser::new(&stage);
        for route in ROUTES {
            let path = filled_in(route.path, token);
            let shown = match route.method {
                Method::Get => [owner.get(&path).await, stranger.get(&path).await],
                Method::Post => [owner.post(&path, &[]).await, stranger.post(&path, &[]).await],
            };
            for shown in shown {
                check(&shown, &path);
                let transport = shown.header(&header::STRICT_TRANSPORT_SECURITY);
                assert_eq!(transport, if stage.is_secure() { "max-age=31536000" } else { "" }, "{path}");
            }
        }
    }
}

#[actix_web::test]
async fn a_page_asks_nobody_else_for_anything_and_has_nothing_inline() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    let token = stage.token(&mut owner, "facturación").await;
    for route in ROUTES.iter().filter(|route| route.method == Method::Get) {
        let shown = owner.get(&filled_in(route.path, token)).await;
        if !shown.is_html() {
            continue;
        }
        for part in shown.body.split('<').skip(1) {
            let tag = part.split('>').next().unwrap();
            assert!(!tag.contains(" style=") && !tag.starts_with("style"), "{}: <{tag}>", route.path);
            assert!(!tag.contains(" on"), "{}: <{tag}>", route.path);
            assert!(!tag.starts_with("script") || tag.contains(" src="), "{}: <{tag}>", route.path);
            for attribute in [" src=\"", " href=\"", " action=\""] {
                let Some((_, value)) = tag.split_once(attribute) else { continue };
                let ours = value.starts_with(['#', '?']) || value.starts_with('/') && !value.starts_with("//");
                assert!(ours, "{}: <{tag}>", route.path);
            }
        }
    }
}
