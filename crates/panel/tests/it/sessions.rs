//! Sessions from sign-up to log-out: their end and their cookie.

use actix_web::http::StatusCode;
use actix_web::http::header::{RETRY_AFTER, SET_COOKIE};
use kuraka_ports::{AccountStatus, Accounts};

use crate::browser::Browser;
use crate::test_app::{EMAIL, PASSWORD, TestApp};

#[actix_web::test]
async fn a_sign_up_starts_a_session_in_place_of_a_planted_one() {
    let app = TestApp::new().await;
    let mut browser = Browser::new(&app);
    let chosen = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    browser.cookies.insert("kuraka".to_owned(), chosen.to_owned());
    let response = browser.sign_up(EMAIL, PASSWORD).await;
    assert_eq!(response.location(), "/panel");
    assert_ne!(browser.cookies["kuraka"], chosen);
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
async fn a_log_out_ends_the_session_on_the_server() {
    let (_, mut browser) = TestApp::owner().await;
    assert_eq!(browser.get("/salir").await.status, StatusCode::NOT_FOUND, "a link cannot log out");
    let kept = browser.cookies.clone();
    assert_eq!(browser.log_out().await.location(), "/");
    assert!(!browser.cookies.contains_key("kuraka"));
    browser.cookies = kept;
    assert_eq!(browser.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens");
}

#[actix_web::test]
async fn cookies_are_bound_to_the_host_over_https_and_the_devices_outlives_the_session() {
    for (url, host, secure) in [("https://kuraka.example", "__Host-", "Secure; "), ("http://kuraka.example", "", "")] {
        let app = TestApp::at(url).await;
        let mut browser = Browser::new(&app);
        let response = browser.sign_up(EMAIL, PASSWORD).await;
        let lines: Vec<&str> = response.headers.get_all(SET_COOKIE).map(|line| line.to_str().unwrap()).collect();
        // At least 128 bits in hexadecimal digits.
        for (name, life, least) in [("kuraka", "", 32), ("kuraka-device", "Max-Age=31536000; ", 96)] {
            let secret = &browser.cookies[&format!("{host}{name}")];
            let line = format!("{host}{name}={secret}; {life}Path=/; {secure}HttpOnly; SameSite=Lax");
            assert!(lines.contains(&&*line) && secret.len() >= least, "{lines:?}");
        }
        assert_eq!(browser.get("/panel/tokens").await.status, StatusCode::OK);
        browser.log_out().await.location();
        assert!(browser.cookies.contains_key(&format!("{host}kuraka-device")));
        assert_eq!(browser.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens", "it is no session");
    }
}

#[actix_web::test]
async fn an_owner_on_a_known_browser_is_not_locked_out_by_guesses() {
    let (app, mut owner) = TestApp::owner().await;
    owner.log_out().await.location();
    let mut other = Browser::new(app);
    for _ in 0..8 {
        other.log_in(EMAIL, "no es la suya").await;
    }
    let throttled = other.log_in(EMAIL, PASSWORD).await;
    assert_eq!(throttled.status, StatusCode::TOO_MANY_REQUESTS);
    throttled.assert_contains("Demasiados intentos");
    assert!(throttled.header(&RETRY_AFTER).parse::<u64>().unwrap() >= 1);
    assert_eq!(owner.log_in(EMAIL, PASSWORD).await.location(), "/panel");
}

#[actix_web::test]
async fn a_suspended_owner_is_logged_out_and_told_after_the_right_password() {
    let (app, mut browser) = TestApp::owner().await;
    app.store.set_status(app.account(EMAIL).await.id, AccountStatus::Suspended).await.unwrap();
    assert_eq!(browser.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens");
    let response = browser.log_in(EMAIL, PASSWORD).await;
    assert_eq!(response.status, StatusCode::FORBIDDEN);
    response.assert_contains("La cuenta está suspendida");
    let response = browser.log_in(EMAIL, "no es la mía").await;
    assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    response.assert_lacks("suspendida");
}
