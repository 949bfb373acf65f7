//! The security headers of every response, and pages that their policy allows.

use actix_web::http::header::{self, HeaderName};
use kuraka_api::Method;
use kuraka_panel::routes::ROUTES;

use crate::browser::{Browser, Response};
use crate::test_app::{EMAIL, TestApp, filled_in};

fn check(response: &Response, path: &str) {
    let header = |name: &HeaderName| response.header(name);
    let policy = header(&header::CONTENT_SECURITY_POLICY);
    for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.split("; ").any(|found| found == part), "{path}: {part} is not in {policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{path}: {policy}");
    assert_eq!(header(&header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{path}");
    let is_of_code = ["/constancia/", "/clave/", "/confirmar/", "/correo/"].iter().any(|start| path.starts_with(start));
    let referrer = if is_of_code { "no-referrer" } else { "same-origin" };
    assert_eq!(header(&header::REFERRER_POLICY), referrer, "{path}");
    assert!(!header(&header::PERMISSIONS_POLICY).is_empty(), "{path}");
    let cached = if path.starts_with("/assets/") && response.status.is_success() { "immutable" } else { "no-store" };
    assert!(header(&header::CACHE_CONTROL).contains(cached), "{path}: {}", header(&header::CACHE_CONTROL));
    if !response.body.is_empty() {
        assert!(!header(&header::CONTENT_TYPE).is_empty(), "{path}");
    }
}

#[actix_web::test]
async fn every_response_has_security_headers() {
    for app in [TestApp::new().await, TestApp::at("https://kuraka.example").await] {
        let mut owner = app.signed_in(EMAIL).await;
        let token = app.token(&mut owner, "facturación").await;
        let mut stranger = Browser::new(&app);
        for route in ROUTES {
            let path = filled_in(route.path, token);
            let response = match route.method {
                Method::Get => [owner.get(&path).await, stranger.get(&path).await],
                Method::Post => [owner.post(&path, &[]).await, stranger.post(&path, &[]).await],
            };
            for response in response {
                check(&response, &path);
                let transport = response.header(&header::STRICT_TRANSPORT_SECURITY);
                assert_eq!(transport, if app.is_secure() { "max-age=31536000" } else { "" }, "{path}");
            }
        }
    }
}

#[actix_web::test]
async fn pages_have_no_inline_code_and_no_external_links() {
    let (app, mut owner) = TestApp::owner().await;
    let token = app.token(&mut owner, "facturación").await;
    for route in ROUTES.iter().filter(|route| route.method == Method::Get) {
        let response = owner.get(&filled_in(route.path, token)).await;
        if !response.is_html() {
            continue;
        }
        for part in response.body.split('<').skip(1) {
            let tag = part.split('>').next().unwrap();
            assert!(!tag.contains(" style=") && !tag.starts_with("style"), "{}: <{tag}>", route.path);
            assert!(!tag.contains(" on"), "{}: <{tag}>", route.path);
            assert!(!tag.starts_with("script") || tag.contains(" src="), "{}: <{tag}>", route.path);
            for attribute in [" src=\"", " href=\"", " action=\""] {
                let Some((_, value)) = tag.split_once(attribute) else { continue };
                let is_local = value.starts_with(['#', '?']) || value.starts_with('/') && !value.starts_with("//");
                assert!(is_local, "{}: <{tag}>", route.path);
            }
        }
    }
}
