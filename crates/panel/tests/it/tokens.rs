//! The token page: a token is shown once, then by its prefix, and revoked after a confirmation.

use actix_web::http::StatusCode;

use crate::test_app::{EMAIL, TestApp};

#[actix_web::test]
async fn a_token_is_shown_only_once() {
    let (_, mut owner) = TestApp::owner().await;
    let response = owner.submit("/panel/tokens", "/panel/tokens", &[("name", "facturación"), ("expires", "90")]).await;
    assert_eq!(response.status, StatusCode::CREATED);
    let token = response.between("id=\"token\">", "<").to_owned();
    assert_eq!(token.len(), 40, "{token}");
    response.assert_contains("No volverá a mostrarse");
    for path in ["/panel/tokens", "/panel/probar", "/panel/cuenta"] {
        owner.get(path).await.assert_lacks(&token);
    }
    let response = owner.get("/panel/tokens").await;
    response.assert_contains(&token[..10]);
    response.assert_all(["facturación", "18 feb 2027", "Nunca"]);
}

#[actix_web::test]
async fn a_test_token_is_made_with_its_own_button_and_marked() {
    let (_, mut owner) = TestApp::owner().await;
    let mut make = async |kind: &str| {
        let fields = [("name", "pruebas"), ("expires", ""), ("kind", kind)];
        owner.submit("/panel/tokens", "/panel/tokens", &fields).await
    };
    let live = make("").await;
    assert!(live.between("id=\"token\">", "<").len() == 40);
    live.assert_lacks("De prueba");
    let test = make("test").await;
    let token = test.between("id=\"token\">", "<");
    assert!(token.starts_with("kur_test_") && token.len() == 45, "{token}");
    test.assert_all(["De prueba", &format!("{}…", &token[..15])]);
}

#[actix_web::test]
async fn an_invalid_token_form_creates_no_token_and_keeps_its_values() {
    let (app, mut owner) = TestApp::owner().await;
    for (name, allowed, expires, reason) in [
        ("", "", "30", "El nombre debe tener"),
        ("   ", "", "30", "El nombre debe tener"),
        ("mía", "203.0.113.7\r\nno es una red", "30", "«no es una red»"),
        ("mía", "203.0.113.0/33", "30", "«203.0.113.0/33»"),
        ("mía", "", "0", "No se entendió el formulario"),
        ("mía", "", "-1", "No se entendió el formulario"),
        ("mía", "", "99999999999", "No se entendió el formulario"),
    ] {
        let fields = [("name", name), ("allowed", allowed), ("expires", expires)];
        let response = owner.submit("/panel/tokens", "/panel/tokens", &fields).await;
        assert!(response.status.is_client_error(), "{name} {allowed} {expires}");
        response.assert_contains(reason);
        assert_eq!(response.body.contains("<option value=\"30\" selected>"), expires == "30");
    }
    assert!(app.tokens(EMAIL).await.is_empty());
}

#[actix_web::test]
async fn a_revocation_asks_first_and_the_token_stays_listed() {
    let (app, mut owner) = TestApp::owner().await;
    let token = app.token(&mut owner, "facturación").await;
    let path = format!("/panel/tokens/{}/revocar", token);
    let question = owner.get(&path).await;
    question.assert_contains("¿Revocar «facturación»?");
    owner.get("/panel/tokens").await.assert_contains("Vigente");
    assert_eq!(owner.submit(&path, &path, &[]).await.location(), "/panel/tokens");
    let response = owner.get("/panel/tokens").await;
    response.assert_contains("Revocado");
    response.assert_lacks("Vigente");
    assert_eq!(owner.get(&path).await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn a_token_limited_to_networks_shows_them() {
    let (_, mut owner) = TestApp::owner().await;
    let fields = [("name", "mía"), ("expires", ""), ("allowed", "203.0.113.0/24\r\n\r\n  2001:db8::1  \r\n")];
    assert_eq!(owner.submit("/panel/tokens", "/panel/tokens", &fields).await.status, StatusCode::CREATED);
    let response = owner.get("/panel/tokens").await;
    response.assert_contains("Solo desde 203.0.113.0/24, 2001:db8::1");
}
