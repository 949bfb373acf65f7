//! Passwords: what is refused, what a wrong one tells, and what a change ends.

use actix_web::http::{StatusCode, header};
use kuraka_ports::StoreErrorKind;

use crate::browser::Browser;
use crate::stage::{BUG, BUSY, PASSWORD, Stage};

const EMAIL: &str = "ana@kuraka.example";

#[actix_web::test]
async fn a_weak_password_is_refused_with_a_reason_and_the_address_stays_in_the_form() {
    let stage = Stage::new().await;
    let mut browser = Browser::new(&stage);
    let too_long = "frase ".repeat(22);
    for (password, reason) in
        [("corta", "al menos 8"), (&too_long, "a lo más 128"), ("contraseña123", "demasiado fácil de adivinar")]
    {
        let shown = browser.submit("/registro", "/registro", &[("email", EMAIL), ("password", password)]).await;
        assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY);
        shown.says(reason);
        shown.says(EMAIL);
        shown.hides(password);
    }
}

#[actix_web::test]
async fn a_wrong_password_and_an_unknown_address_are_told_alike() {
    let stage = Stage::new().await;
    stage.signed_in(EMAIL).await;
    let mut shown = Vec::new();
    for email in [EMAIL, "nadie@kuraka.example"] {
        let mut browser = Browser::new(&stage);
        let answer = browser.submit("/ingresar", "/ingresar", &[("email", email), ("password", "no es la mía")]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        shown.push(answer.body.replace(email, "").replace(&answer.form_token(), ""));
    }
    assert_eq!(shown[0], shown[1]);
}

#[actix_web::test]
async fn a_changed_password_ends_every_other_session_and_lets_in_with_the_new_one_only() {
    let stage = Stage::new().await;
    let mut here = stage.signed_in(EMAIL).await;
    let mut elsewhere = Browser::new(&stage);
    stage.log_in(&mut elsewhere, EMAIL).await;

    let wrong = [("current", "no es la mía"), ("password", "otra frase larga y mía")];
    let shown = here.submit("/panel/cuenta", "/panel/cuenta/clave", &wrong).await;
    assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY);
    shown.says("La contraseña actual no es correcta");

    let before = here.cookies.clone();
    let right = [("current", PASSWORD), ("password", "otra frase larga y mía")];
    let shown = here.submit("/panel/cuenta", "/panel/cuenta/clave", &right).await;
    assert_eq!(shown.leads_to(), "/panel/cuenta?hecho=clave");
    assert_ne!(here.cookies, before, "the session has a new secret");
    here.get("/panel/cuenta?hecho=clave").await.says("Su contraseña cambió");
    assert_eq!(elsewhere.get("/panel/tokens").await.leads_to(), "/ingresar");
    here.cookies = before;
    assert_eq!(here.get("/panel/tokens").await.leads_to(), "/ingresar");

    let old = here.submit("/ingresar", "/ingresar", &[("email", EMAIL), ("password", PASSWORD)]).await;
    assert_eq!(old.status, StatusCode::UNPROCESSABLE_ENTITY);
    let new = [("email", EMAIL), ("password", "otra frase larga y mía")];
    assert_eq!(here.submit("/ingresar", "/ingresar", &new).await.leads_to(), "/panel");
}

#[actix_web::test]
async fn an_account_is_deleted_only_with_its_password_and_then_is_gone() {
    let stage = Stage::new().await;
    let mut browser = stage.signed_in(EMAIL).await;
    let shown = browser.submit("/panel/cuenta/eliminar", "/panel/cuenta/eliminar", &[("password", "otra")]).await;
    assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(browser.get("/panel/cuenta").await.status, StatusCode::OK);

    let shown = browser.submit("/panel/cuenta/eliminar", "/panel/cuenta/eliminar", &[("password", PASSWORD)]).await;
    assert_eq!(shown.leads_to(), "/");
    assert_eq!(browser.get("/panel/cuenta").await.leads_to(), "/ingresar");
    let shown = browser.submit("/ingresar", "/ingresar", &[("email", EMAIL), ("password", PASSWORD)]).await;
    assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[actix_web::test]
async fn too_many_attempts_are_told_when_to_come_back() {
    let stage = Stage::new().await;
    stage.signed_in(EMAIL).await;
    let mut browser = Browser::new(&stage);
    for _ in 0..100 {
        let shown = browser.submit("/ingresar", "/ingresar", &[("email", EMAIL), ("password", "no es la mía")]).await;
        if shown.status == StatusCode::TOO_MANY_REQUESTS {
            shown.says("Demasiados intentos");
            assert!(shown.headers.get("retry-after").unwrap().to_str().unwrap().parse::<u64>().unwrap() >= 1);
            return;
        }
        assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    panic!("a hundred guesses in no time were all heard");
}

#[actix_web::test]
async fn where_too_many_wait_and_where_the_store_is_gone_a_page_says_to_come_back() {
    let stage = Stage::new().await;
    let mut browser = stage.signed_in(EMAIL).await;
    let mut stranger = Browser::new(&stage);
    let busy = stranger.submit("/ingresar", "/ingresar", &[("email", EMAIL), ("password", BUSY)]).await;
    assert_eq!(busy.status, StatusCode::SERVICE_UNAVAILABLE);
    busy.says("Hay mucha demanda");
    assert_eq!(busy.headers.get("retry-after").unwrap(), "1");
    stage.store.fail(StoreErrorKind::Unavailable);
    let gone = browser.get("/panel/tokens").await;
    assert_eq!(gone.status, StatusCode::SERVICE_UNAVAILABLE);
    gone.says("El panel no está disponible");
    stage.store.fail(None);
    assert_eq!(browser.get("/panel/tokens").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn a_bug_is_a_page_like_any_other_and_the_next_visitor_is_served() {
    let stage = Stage::new().await;
    let mut stranger = Browser::new(&stage);
    for _ in 0..2 {
        let broken = stranger.submit("/ingresar", "/ingresar", &[("email", EMAIL), ("password", BUG)]).await;
        assert_eq!(broken.status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(broken.body.contains("Ocurrió un error interno") && !broken.body.contains("hasher"), "{}", broken.body);
        assert!(!broken.header(&header::CONTENT_SECURITY_POLICY).is_empty());
        assert_eq!(stranger.get("/").await.status, StatusCode::OK);
    }
}
