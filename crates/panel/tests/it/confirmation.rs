//! The confirmation of a new account's address.

use actix_web::http::StatusCode;
use kuraka_ports::AccountStatus;

use crate::browser::{Browser, Response};
use crate::new_password::{linked, mails};
use crate::test_app::{EMAIL, PASSWORD, TestApp};

async fn sign_up(app: &TestApp, email: &str, password: &str) -> Response {
    Browser::new(app).sign_up(email, password).await
}

async fn log_in(app: &TestApp, password: &str) -> Response {
    Browser::new(app).log_in(EMAIL, password).await
}

#[actix_web::test]
async fn a_new_account_begins_with_its_confirmation() {
    let app = TestApp::confirming().await;
    let page = sign_up(&app, EMAIL, PASSWORD).await;
    assert_eq!(page.status, StatusCode::OK);
    page.assert_contains("Revise su correo");
    let [mail] = &*mails(&app).await else { panic!("one mail") };
    let link = linked(mail);
    assert!(link.starts_with("/confirmar/"), "{link}");
    assert_eq!(app.account(EMAIL).await.status, AccountStatus::Unconfirmed);
    let (early, other) = (log_in(&app, PASSWORD).await, log_in(&app, "otra frase larga y mía").await);
    assert_eq!((early.status, other.status), (StatusCode::UNPROCESSABLE_ENTITY, StatusCode::UNPROCESSABLE_ENTITY));
    early.assert_contains("confirme primero su correo");
    other.assert_contains("confirme primero su correo");

    let mut browser = Browser::new(&app);
    let before = app.state();
    assert_eq!(browser.get(&link).await.status, StatusCode::OK);
    assert_eq!(app.state(), before, "a GET changes nothing");
    let wrong = browser.submit(&link, &link, &[("password", "no es la mía")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(app.account(EMAIL).await.status, AccountStatus::Unconfirmed);
    let confirmed = browser.submit(&link, &link, &[("password", PASSWORD)]).await;
    assert_eq!(confirmed.location(), "/panel");
    assert_eq!(browser.get("/panel").await.status, StatusCode::OK);
    assert_eq!(app.account(EMAIL).await.status, AccountStatus::Active);
    assert_eq!(Browser::new(&app).get(&link).await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn an_address_with_an_account_gets_the_same_answer_and_a_mail_that_says_so() {
    let app = TestApp::confirming().await;
    sign_up(&app, EMAIL, PASSWORD).await;
    let [mail] = &*mails(&app).await else { panic!("one mail") };
    let link = linked(mail);
    Browser::new(&app).submit(&link, &link, &[("password", PASSWORD)]).await.location();
    let mut pages = Vec::new();
    for email in [EMAIL, "eva@kuraka.example"] {
        let before = app.store.asked();
        let page = sign_up(&app, email, "otra frase larga y mía").await;
        pages.push((page.status, page.body, app.store.asked() - before));
    }
    assert_eq!(pages[0], pages[1]);
    let sent: Vec<_> = mails(&app).await.into_iter().map(|mail| mail.subject).collect();
    assert_eq!(sent, ["Ya tiene una cuenta", "Confirme su correo"]);
    assert_eq!(log_in(&app, "otra frase larga y mía").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    log_in(&app, PASSWORD).await.location();
}

/// Someone else may have signed up with the address before.
#[actix_web::test]
async fn an_unconfirmed_account_can_sign_up_again() {
    let app = TestApp::confirming().await;
    sign_up(&app, EMAIL, "la frase de otra persona").await;
    let [older] = &*mails(&app).await else { panic!("one mail") };
    app.clock.advance(std::time::Duration::from_secs(1));
    sign_up(&app, EMAIL, PASSWORD).await;
    let [mail] = &*mails(&app).await else { panic!("one mail") };
    assert_eq!(Browser::new(&app).get(&linked(older)).await.status, StatusCode::NOT_FOUND);
    let link = linked(mail);
    let wrong = Browser::new(&app).submit(&link, &link, &[("password", "la frase de otra persona")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    Browser::new(&app).submit(&link, &link, &[("password", PASSWORD)]).await.location();
}

#[actix_web::test]
async fn a_weak_password_is_refused_before_the_mail() {
    let app = TestApp::confirming().await;
    assert_eq!(sign_up(&app, EMAIL, "corta").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(mails(&app).await.len(), 0);
}
