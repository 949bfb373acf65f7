//! The rate of forms: 60 in a minute per account, or per client without a session.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;

use crate::browser::{Browser, Response, form};
use crate::test_app::{EMAIL, PASSWORD, TestApp};

/// The forms that are accepted in a minute.
const RATE: usize = 60;

fn assert_too_many(response: &Response) {
    assert_eq!(response.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(response.is_html());
    response.assert_all(["Demasiados formularios en un minuto", "No se hizo ningún cambio. Espere 60 segundos"]);
    assert_eq!(response.header(&RETRY_AFTER), "60");
}

/// Submits a form that is refused for its content.
async fn submit(browser: &mut Browser<'_>, form_token: &str) -> Response {
    browser.post("/panel/tokens", &[("form_token", form_token), ("name", ""), ("expires", "")]).await
}

#[actix_web::test]
async fn the_61st_form_of_a_minute_changes_nothing() {
    let app = TestApp::new().await;
    let (mut ana, mut luz) = (app.signed_in(EMAIL).await, app.signed_in("luz@kuraka.example").await);
    let token = ana.get("/panel/tokens").await.form_token();
    for _ in 0..RATE {
        assert_eq!(submit(&mut ana, &token).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let before = app.state();
    let good = [("form_token", token.as_str()), ("name", "uno"), ("expires", "")];
    assert_too_many(&ana.post("/panel/tokens", &good).await);
    assert_eq!(app.state(), before);
    assert_eq!(ana.get("/panel/tokens").await.status, StatusCode::OK, "pages are shown");
    app.token(&mut luz, "of another account").await;
    app.clock.advance(Duration::from_secs(60));
    assert_eq!(ana.post("/panel/tokens", &good).await.status, StatusCode::CREATED);
}

#[actix_web::test]
async fn forms_from_another_site_do_not_use_up_the_rate() {
    let (_, mut ana) = TestApp::owner().await;
    let token = ana.get("/panel/tokens").await.form_token();
    for _ in 0..=RATE {
        let forged = form("/panel/tokens", &[("form_token", &token)]).insert_header(("Sec-Fetch-Site", "cross-site"));
        assert_eq!(ana.send(forged).await.status, StatusCode::FORBIDDEN);
        assert_eq!(submit(&mut ana, "no token").await.status, StatusCode::FORBIDDEN);
    }
    assert_eq!(submit(&mut ana, &token).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[actix_web::test]
async fn forms_of_one_client_without_a_session_have_a_rate() {
    let (app, mut ana) = TestApp::owner().await;
    ana.log_out().await.location();
    let mut other = Browser::new(app);
    let token = other.get("/registro").await.form_token();
    for _ in 1..RATE {
        let weak = [("form_token", token.as_str()), ("email", "b@kuraka.example"), ("password", "corta")];
        assert_eq!(other.post("/registro", &weak).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let good = [("form_token", token.as_str()), ("email", "b@kuraka.example"), ("password", PASSWORD)];
    assert_too_many(&other.post("/registro", &good).await);
    assert!(!app.has_account("b@kuraka.example").await);
    other.cookies.insert("kuraka".to_owned(), "0".repeat(64));
    let asked = app.store.asked();
    assert_too_many(&other.post("/registro", &good).await);
    assert_eq!(app.store.asked(), asked, "a form above the rate costs no query of the store");
    other.cookies.remove("kuraka");

    // All clients of these tests have one address: a browser that has logged in is not affected.
    assert_too_many(&Browser::new(app).log_in(EMAIL, PASSWORD).await);
    assert_eq!(ana.log_in(EMAIL, PASSWORD).await.location(), "/panel");
}

#[actix_web::test]
async fn the_61st_form_from_a_known_device_is_refused_too() {
    let (app, mut ana) = TestApp::owner().await;
    ana.log_out().await.location();
    let mut luz = app.signed_in("luz@kuraka.example").await;
    luz.log_out().await.location();
    app.clock.advance(Duration::from_secs(60));
    let sign_up = async |browser: &mut Browser<'_>, email: &str| browser.sign_up(email, "corta").await;
    // The network's rate, then the account's.
    for _ in 0..2 * RATE {
        assert_eq!(sign_up(&mut ana, EMAIL).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_too_many(&sign_up(&mut ana, EMAIL).await);
    assert_too_many(&ana.log_in(EMAIL, PASSWORD).await);
    assert_eq!(luz.log_in("luz@kuraka.example", PASSWORD).await.location(), "/panel", "another account");
}
