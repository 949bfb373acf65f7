//! From sign-up to log-out: what a session is, where it ends, and what its cookie looks like.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::SET_COOKIE;

use crate::browser::Browser;
use crate::stage::{PASSWORD, Stage};

const EMAIL: &str = "ana@kuraka.example";

#[actix_web::test]
async fn whoever_signs_up_is_in_the_panel_at_once() {
    let stage = Stage::new().await;
    let mut browser = Browser::new(&stage);
    let shown = browser.submit("/registro", "/registro", &[("email", EMAIL), ("password", PASSWORD)]).await;
    assert_eq!(shown.leads_to(), "/panel");
    assert_eq!(browser.get("/panel").await.leads_to(), "/panel/tokens");
    let shown = browser.get("/panel/tokens").await;
    shown.says(EMAIL);
    shown.says("Todavía no tiene tokens");
}

#[actix_web::test]
async fn a_log_in_makes_a_new_session_and_ends_the_old_one() {
    let stage = Stage::new().await;
    let mut browser = stage.signed_in(EMAIL).await;
    let old = browser.cookies["kuraka"].clone();
    assert_eq!(browser.get("/ingresar").await.leads_to(), "/panel");
    stage.log_in(&mut browser, EMAIL).await;
    assert_ne!(browser.cookies["kuraka"], old);
    browser.cookies.insert("kuraka".to_owned(), old);
    assert_eq!(browser.get("/panel/tokens").await.leads_to(), "/ingresar");
}

#[actix_web::test]
async fn a_session_that_somebody_else_chose_is_not_taken_over() {
    let stage = Stage::new().await;
    let mut browser = Browser::new(&stage);
    let chosen = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    browser.cookies.insert("kuraka".to_owned(), chosen.to_owned());
    browser.submit("/registro", "/registro", &[("email", EMAIL), ("password", PASSWORD)]).await.leads_to();
    assert_ne!(browser.cookies["kuraka"], chosen);
}

#[actix_web::test]
async fn a_log_out_ends_the_session_on_the_server() {
    let stage = Stage::new().await;
    let mut browser = stage.signed_in(EMAIL).await;
    let kept = browser.cookies.clone();
    assert_eq!(browser.submit("/panel/tokens", "/salir", &[]).await.leads_to(), "/");
    assert!(!browser.cookies.contains_key("kuraka"));
    browser.cookies = kept;
    assert_eq!(browser.get("/panel/tokens").await.leads_to(), "/ingresar");
}

#[actix_web::test]
async fn a_log_out_cannot_be_caused_by_a_link() {
    let stage = Stage::new().await;
    let mut browser = stage.signed_in(EMAIL).await;
    assert_eq!(browser.get("/salir").await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get("/panel/tokens").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn over_https_the_cookie_is_bound_to_the_host() {
    for (url, start, end) in [
        ("https://kuraka.example", "__Host-kuraka=", "; Path=/; Secure; HttpOnly; SameSite=Lax"),
        ("http://kuraka.example", "kuraka=", "; Path=/; HttpOnly; SameSite=Lax"),
    ] {
        let stage = Stage::at(url).await;
        let mut browser = Browser::new(&stage);
        let shown = browser.submit("/registro", "/registro", &[("email", EMAIL), ("password", PASSWORD)]).await;
        let lines: Vec<&str> = shown.headers.get_all(SET_COOKIE).map(|line| line.to_str().unwrap()).collect();
        let line = lines.iter().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{lines:?}"));
        let secret =
            line.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)).unwrap_or_else(|| panic!("{line}"));
        // At least 128 bits, whichever way they are written.
        assert!(secret.len() >= 32, "{line}");
        assert_eq!(browser.get("/panel/tokens").await.status, StatusCode::OK);
    }
}

#[actix_web::test]
async fn a_session_ends_when_it_is_idle_and_after_half_a_day_in_any_case() {
    let stage = Stage::new().await;
    let mut browser = stage.signed_in(EMAIL).await;
    for _ in 0..25 {
        stage.clock.advance(Duration::from_secs(28 * 60));
        assert_eq!(browser.get("/panel/tokens").await.status, StatusCode::OK);
    }
    stage.clock.advance(Duration::from_secs(28 * 60));
    assert_eq!(browser.get("/panel/tokens").await.leads_to(), "/ingresar", "after 12 hours and 8 minutes");
    stage.log_in(&mut browser, EMAIL).await;
    stage.clock.advance(Duration::from_secs(30 * 60));
    assert_eq!(browser.get("/panel/tokens").await.leads_to(), "/ingresar", "after half an hour without a page");
}
