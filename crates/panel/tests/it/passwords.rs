//! Passwords: rules, wrong attempts, a change, and their effect on sessions.

use actix_web::http::{StatusCode, header};
use kuraka_ports::{Audit, NewAuditLine, Origin, StoreErrorKind};

use crate::browser::Browser;
use crate::hasher::{BUG, BUSY};
use crate::test_app::{EMAIL, PASSWORD, TestApp};

#[actix_web::test]
async fn a_weak_password_is_refused_with_a_reason() {
    let app = TestApp::new().await;
    let mut browser = Browser::new(&app);
    let too_long = "frase ".repeat(22);
    for (password, reason) in
        [("corta", "al menos 8"), (&too_long, "a lo más 128"), ("contraseña123", "demasiado fácil de adivinar")]
    {
        let response = browser.sign_up(EMAIL, password).await;
        assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
        response.assert_contains(reason);
        response.assert_contains(EMAIL);
        response.assert_lacks(password);
    }
}

#[actix_web::test]
async fn wrong_password_and_unknown_email_get_the_same_page() {
    let app = TestApp::new().await;
    app.signed_in(EMAIL).await;
    let mut pages = Vec::new();
    for email in [EMAIL, "nadie@kuraka.example"] {
        let mut browser = Browser::new(&app);
        let answer = browser.log_in(email, "no es la mía").await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        pages.push(answer.body.replace(email, "").replace(&answer.form_token(), ""));
    }
    assert_eq!(pages[0], pages[1]);
}

#[actix_web::test]
async fn a_changed_password_ends_every_other_session() {
    let (app, mut here) = TestApp::owner().await;
    let mut elsewhere = Browser::new(app);
    app.log_in(&mut elsewhere, EMAIL).await;

    let wrong = [("current", "no es la mía"), ("password", "otra frase larga y mía")];
    let response = here.submit("/panel/cuenta", "/panel/cuenta/clave", &wrong).await;
    assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    response.assert_contains("La contraseña actual no es correcta");

    let before = here.cookies.clone();
    let right = [("current", PASSWORD), ("password", "otra frase larga y mía")];
    let same = [("current", PASSWORD), ("password", PASSWORD)];
    here.submit("/panel/cuenta", "/panel/cuenta/clave", &same).await.assert_contains("es igual a la actual");
    let response = here.submit("/panel/cuenta", "/panel/cuenta/clave", &right).await;
    assert_eq!(response.location(), "/panel/cuenta?hecho=clave");
    assert_ne!(here.cookies, before, "the session has a new secret");
    here.get("/panel/cuenta?hecho=clave").await.assert_contains("Su contraseña cambió");
    assert_eq!(elsewhere.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens");
    here.cookies = before;
    assert_eq!(here.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens");

    let old = here.log_in(EMAIL, PASSWORD).await;
    assert_eq!(old.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(here.log_in(EMAIL, "otra frase larga y mía").await.location(), "/panel");
}

#[actix_web::test]
async fn an_account_is_deleted_only_with_its_password() {
    let (_, mut browser) = TestApp::owner().await;
    let response = browser.submit("/panel/cuenta/eliminar", "/panel/cuenta/eliminar", &[("password", "otra")]).await;
    assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(browser.get("/panel/cuenta").await.status, StatusCode::OK);

    let response = browser.submit("/panel/cuenta/eliminar", "/panel/cuenta/eliminar", &[("password", PASSWORD)]).await;
    assert_eq!(response.location(), "/");
    assert!(browser.cookies.is_empty(), "{:?}", browser.cookies.keys());
    assert_eq!(browser.get("/panel/cuenta").await.location(), "/ingresar?volver=/panel/cuenta");
    let response = browser.log_in(EMAIL, PASSWORD).await;
    assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[actix_web::test]
async fn a_busy_hasher_or_store_failure_gets_a_503_page() {
    let (app, mut browser) = TestApp::owner().await;
    let mut stranger = Browser::new(app);
    let busy = stranger.log_in(EMAIL, BUSY).await;
    assert_eq!(busy.status, StatusCode::SERVICE_UNAVAILABLE);
    busy.assert_contains("Hay mucha demanda");
    assert_eq!(busy.headers.get("retry-after").unwrap(), "1");
    app.store.fail(StoreErrorKind::Unavailable);
    let gone = browser.get("/panel/tokens").await;
    assert_eq!(gone.status, StatusCode::SERVICE_UNAVAILABLE);
    gone.assert_contains("El panel no está disponible");
    app.store.fail(None);
    assert_eq!(browser.get("/panel/tokens").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn a_panic_becomes_an_error_page() {
    let app = TestApp::new().await;
    let mut stranger = Browser::new(&app);
    for _ in 0..2 {
        let broken = stranger.log_in(EMAIL, BUG).await;
        assert_eq!(broken.status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(broken.body.contains("Ocurrió un error interno") && !broken.body.contains("hasher"), "{}", broken.body);
        assert!(!broken.header(&header::CONTENT_SECURITY_POLICY).is_empty());
        assert_eq!(stranger.get("/").await.status, StatusCode::OK);
    }
}

#[actix_web::test]
async fn an_owner_sees_and_downloads_what_happened_in_the_account() {
    let app = TestApp::new().await;
    let (mut ana, mut other) = (app.signed_in(EMAIL).await, app.signed_in("otra@kuraka.example").await);
    app.token(&mut ana, "caja").await;
    let page = ana.get("/panel/cuenta").await;
    page.assert_all(["Se creó un token 1", "Se abrió una sesión"]);
    let csv = ana.get("/panel/cuenta.csv").await;
    csv.assert_all(["fecha,accion,objeto,antes,despues,autor,direccion,navegador,id\r\n", ",token.create,token 1,"]);
    ana.get("/panel/cuenta.json").await.assert_contains("\"email\": \"ana@kuraka.example\"");
    for path in ["/panel/cuenta", "/panel/cuenta.csv", "/panel/cuenta.json"] {
        other.get(path).await.assert_lacks("token.create");
    }
    other.get("/panel/cuenta").await.assert_lacks("Se creó un token");
    ana.get("/panel/cuenta/eliminar").await.assert_contains("registro de auditoría");
    let account = Some(app.account(EMAIL).await.id);
    let line = NewAuditLine { action: "x".repeat(9 << 20).leak(), account, ..NewAuditLine::default() };
    app.store.add_line(&line, &Origin::default()).await.unwrap();
    let refused = ana.get("/panel/cuenta.json").await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    refused.assert_contains("o pida el archivo a quien opera este servicio");
}
