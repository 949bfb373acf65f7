//! Another e-mail address of an account.

use actix_web::http::StatusCode;

use crate::browser::{Browser, Response};
use crate::new_password::{linked, mails};
use crate::test_app::{EMAIL, PASSWORD, TestApp};

const NEW: &str = "ana.nueva@kuraka.example";
const PAGE: &str = "/panel/cuenta";
const FORM: &str = "/panel/cuenta/correo";

async fn change(owner: &mut Browser<'_>, email: &str, password: &str) -> Response {
    owner.submit(PAGE, FORM, &[("email", email), ("current", password)]).await
}

#[actix_web::test]
async fn without_mail_an_address_changes_at_once_and_ends_every_other_session() {
    let (app, mut elsewhere) = TestApp::owner().await;
    app.signed_in("eva@kuraka.example").await;
    let mut here = Browser::new(app);
    app.log_in(&mut here, EMAIL).await;
    for (email, password, wrong) in [
        (NEW, "no es la mía", "La contraseña no es correcta"),
        ("ana", PASSWORD, "Revise el correo"),
        ("ANA@kuraka.example", PASSWORD, "ya usa ese correo"),
        ("eva@kuraka.example", PASSWORD, "ya tiene una cuenta"),
    ] {
        let refused = change(&mut here, email, password).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        refused.assert_contains(wrong);
        refused.assert_contains(&format!("value=\"{email}\""));
    }
    assert_eq!(change(&mut here, NEW, PASSWORD).await.location(), "/panel/cuenta?hecho=correo");
    let page = here.get("/panel/cuenta?hecho=correo").await;
    page.assert_all(["El correo de su cuenta cambió", "Cambió el correo de la cuenta", NEW]);
    assert_eq!(elsewhere.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens");
    assert!(!app.has_account(EMAIL).await);
    app.log_in(&mut elsewhere, NEW).await;
}

#[actix_web::test]
async fn with_mail_the_new_address_confirms_and_the_old_one_is_told() {
    let app = TestApp::with_mail().await;
    let mut owner = app.signed_in(EMAIL).await;
    assert_eq!(change(&mut owner, NEW, "no es la mía").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(mails(&app).await.len(), 0);
    assert_eq!(change(&mut owner, NEW, PASSWORD).await.location(), "/panel/cuenta?hecho=enlace");
    assert!(app.has_account(EMAIL).await);
    let [mail] = &*mails(&app).await else { panic!("one mail") };
    assert_eq!((mail.to.as_str(), &*mail.subject), (NEW, "Confirme su correo nuevo"));
    let link = linked(mail);

    let mut browser = Browser::new(&app);
    let before = app.state();
    assert_eq!(browser.get(&link).await.status, StatusCode::OK);
    assert_eq!(app.state(), before, "a GET changes nothing");
    let wrong = browser.submit(&link, &link, &[("password", "no es la mía")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(browser.submit(&link, &link, &[("password", PASSWORD)]).await.location(), "/panel");
    browser.get(PAGE).await.assert_contains(NEW);
    assert_eq!(owner.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens");
    let told: Vec<_> = mails(&app).await.into_iter().map(|mail| (mail.to.as_str().to_owned(), mail.subject)).collect();
    assert_eq!(told, [(EMAIL.to_owned(), "El correo de su cuenta cambió".to_owned())]);
    assert_eq!(Browser::new(&app).get(&link).await.status, StatusCode::NOT_FOUND);
    assert!(!app.has_account(EMAIL).await);
}

#[actix_web::test]
async fn an_address_with_an_account_gets_the_same_answer_and_a_mail_that_says_so() {
    let app = TestApp::with_mail().await;
    app.signed_in("eva@kuraka.example").await;
    let mut owner = app.signed_in(EMAIL).await;
    let mut answers = Vec::new();
    for email in ["eva@kuraka.example", NEW] {
        let before = app.store.asked();
        let answer = change(&mut owner, email, PASSWORD).await;
        let page = owner.get(answer.location()).await.body;
        answers.push((answer.status, page, app.store.asked() - before));
    }
    assert_eq!(answers[0], answers[1]);
    let sent: Vec<_> = mails(&app).await.into_iter().map(|mail| mail.subject).collect();
    assert_eq!(sent, ["Este correo ya tiene una cuenta", "Confirme su correo nuevo"]);
    assert!(app.has_account(EMAIL).await && app.has_account("eva@kuraka.example").await);
}

/// As when its owner signs up with it before the link is used.
#[actix_web::test]
async fn a_link_to_an_address_that_is_taken_meanwhile_changes_nothing() {
    let app = TestApp::with_mail().await;
    let mut owner = app.signed_in(EMAIL).await;
    change(&mut owner, NEW, PASSWORD).await.location();
    let [mail] = &*mails(&app).await else { panic!("one mail") };
    let link = linked(mail);
    app.signed_in(NEW).await;
    let mut browser = Browser::new(&app);
    let taken = browser.submit(&link, &link, &[("password", PASSWORD)]).await;
    assert_eq!(taken.status, StatusCode::UNPROCESSABLE_ENTITY);
    taken.assert_contains("Este correo ya tiene otra cuenta");
    assert!(app.has_account(EMAIL).await);
}
