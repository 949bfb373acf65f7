//! Sessions from sign-up to log-out: their end and their cookie.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::SET_COOKIE;
use kuraka_ports::{AccountStatus, Accounts};

use crate::browser::Browser;
use crate::test_app::{EMAIL, PASSWORD, TestApp};

#[actix_web::test]
async fn a_sign_up_starts_a_session() {
    let app = TestApp::new().await;
    let mut browser = Browser::new(&app);
    let response = browser.submit("/registro", "/registro", &[("email", EMAIL), ("password", PASSWORD)]).await;
    assert_eq!(response.location(), "/panel");
    browser.get("/panel").await.assert_contains("<h1>Inicio</h1>");
    let response = browser.get("/panel/tokens").await;
    response.assert_contains(EMAIL);
    response.assert_contains("Todavía no tiene tokens");
}

#[actix_web::test]
async fn a_log_in_starts_a_session_and_ends_the_old_one() {
    let (app, mut browser) = TestApp::owner().await;
    let old = browser.cookies["kuraka"].clone();
    assert_eq!(browser.get("/ingresar").await.location(), "/panel");
    app.log_in(&mut browser, EMAIL).await;
    assert_ne!(browser.cookies["kuraka"], old);
    browser.cookies.insert("kuraka".to_owned(), old);
    assert_eq!(browser.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens");
}

#[actix_web::test]
async fn a_planted_session_secret_is_replaced() {
    let app = TestApp::new().await;
    let mut browser = Browser::new(&app);
    let chosen = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    browser.cookies.insert("kuraka".to_owned(), chosen.to_owned());
    browser.submit("/registro", "/registro", &[("email", EMAIL), ("password", PASSWORD)]).await.location();
    assert_ne!(browser.cookies["kuraka"], chosen);
}

#[actix_web::test]
async fn a_log_out_ends_the_session_on_the_server() {
    let (_, mut browser) = TestApp::owner().await;
    let kept = browser.cookies.clone();
    assert_eq!(browser.submit("/panel/tokens", "/salir", &[]).await.location(), "/");
    assert!(!browser.cookies.contains_key("kuraka"));
    browser.cookies = kept;
    assert_eq!(browser.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens");
}

#[actix_web::test]
async fn a_link_cannot_log_out() {
    let (_, mut browser) = TestApp::owner().await;
    assert_eq!(browser.get("/salir").await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get("/panel/tokens").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn the_session_cookie_is_bound_to_the_host_over_https() {
    for (url, start, end) in [
        ("https://kuraka.example", "__Host-kuraka=", "; Path=/; Secure; HttpOnly; SameSite=Lax"),
        ("http://kuraka.example", "kuraka=", "; Path=/; HttpOnly; SameSite=Lax"),
    ] {
        let app = TestApp::at(url).await;
        let mut browser = Browser::new(&app);
        let response = browser.submit("/registro", "/registro", &[("email", EMAIL), ("password", PASSWORD)]).await;
        let lines: Vec<&str> = response.headers.get_all(SET_COOKIE).map(|line| line.to_str().unwrap()).collect();
        let line = lines.iter().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{lines:?}"));
        let secret =
            line.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)).unwrap_or_else(|| panic!("{line}"));
        // At least 128 bits in hexadecimal digits.
        assert!(secret.len() >= 32, "{line}");
        assert_eq!(browser.get("/panel/tokens").await.status, StatusCode::OK);
    }
}

#[actix_web::test]
async fn a_session_ends_when_idle_and_after_12_hours() {
    let (app, mut browser) = TestApp::owner().await;
    for _ in 0..25 {
        app.clock.advance(Duration::from_secs(28 * 60));
        assert_eq!(browser.get("/panel/tokens").await.status, StatusCode::OK);
    }
    app.clock.advance(Duration::from_secs(28 * 60));
    assert_eq!(
        browser.get("/panel/tokens").await.location(),
        "/ingresar?volver=/panel/tokens",
        "after 12 hours and 8 minutes"
    );
    app.log_in(&mut browser, EMAIL).await;
    app.clock.advance(Duration::from_secs(30 * 60));
    assert_eq!(
        browser.get("/panel/tokens").await.location(),
        "/ingresar?volver=/panel/tokens",
        "after half an hour without a page"
    );
}

#[actix_web::test]
async fn the_device_cookie_outlives_the_session() {
    for (url, name, rest) in [
        (
            "https://kuraka.example",
            "__Host-kuraka-device",
            "; Max-Age=31536000; Path=/; Secure; HttpOnly; SameSite=Lax",
        ),
        ("http://kuraka.example", "kuraka-device", "; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax"),
    ] {
        let app = TestApp::at(url).await;
        let mut browser = Browser::new(&app);
        let response = browser.submit("/registro", "/registro", &[("email", EMAIL), ("password", PASSWORD)]).await;
        let lines: Vec<&str> = response.headers.get_all(SET_COOKIE).map(|line| line.to_str().unwrap()).collect();
        let proof = browser.cookies[name].clone();
        assert_eq!(proof.len(), 96);
        assert!(lines.contains(&format!("{name}={proof}{rest}").as_str()), "{lines:?}");
        browser.submit("/panel/tokens", "/salir", &[]).await.location();
        assert_eq!(browser.cookies[name], proof);
        assert_eq!(browser.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens", "it is no session");
    }
}

#[actix_web::test]
async fn an_owner_on_a_known_browser_is_not_locked_out_by_guesses() {
    let (app, mut owner) = TestApp::owner().await;
    owner.submit("/panel/tokens", "/salir", &[]).await.location();
    let mut other = Browser::new(&app);
    let guess = [("email", EMAIL), ("password", "no es la suya")];
    for _ in 0..8 {
        other.submit("/ingresar", "/ingresar", &guess).await;
    }
    let right = [("email", EMAIL), ("password", PASSWORD)];
    let throttled = other.submit("/ingresar", "/ingresar", &right).await;
    assert_eq!(throttled.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(owner.submit("/ingresar", "/ingresar", &right).await.location(), "/panel");
}

#[actix_web::test]
async fn a_suspended_owner_is_logged_out_and_told_after_the_right_password() {
    let (app, mut browser) = TestApp::owner().await;
    app.store.set_status(app.account(EMAIL).await.id, AccountStatus::Suspended).await.unwrap();
    assert_eq!(browser.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens");
    let right = [("email", EMAIL), ("password", PASSWORD)];
    let response = browser.submit("/ingresar", "/ingresar", &right).await;
    assert_eq!(response.status, StatusCode::FORBIDDEN);
    response.assert_contains("La cuenta está suspendida");
    let wrong = [("email", EMAIL), ("password", "no es la mía")];
    let response = browser.submit("/ingresar", "/ingresar", &wrong).await;
    assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    response.assert_lacks("suspendida");
}
