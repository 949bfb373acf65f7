//! Tokens on their page: shown once, recognised by their first characters, revoked after a question.

use actix_web::http::StatusCode;

use crate::stage::Stage;

const EMAIL: &str = "ana@kuraka.example";

#[actix_web::test]
async fn a_token_is_shown_once_and_never_again() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    let shown = owner.submit("/panel/tokens", "/panel/tokens", &[("name", "facturación"), ("expires", "90")]).await;
    assert_eq!(shown.status, StatusCode::CREATED);
    let token = shown.between("id=\"token\">", "<").to_owned();
    assert_eq!(token.len(), 40, "{token}");
    shown.says("No volverá a mostrarse");
    for path in ["/panel/tokens", "/panel/probar", "/panel/cuenta"] {
        owner.get(path).await.hides(&token);
    }
    let shown = owner.get("/panel/tokens").await;
    shown.says(&token[..10]);
    shown.says("facturación");
    shown.says("18 feb 2027");
    shown.says("Nunca");
}

#[actix_web::test]
async fn a_form_with_a_mistake_comes_back_filled_in() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    for (name, allowed, reason) in [
        ("", "", "El nombre debe tener"),
        ("   ", "", "El nombre debe tener"),
        ("mía", "203.0.113.7\r\nno es una red", "«no es una red»"),
        ("mía", "203.0.113.0/33", "«203.0.113.0/33»"),
    ] {
        let fields = [("name", name), ("allowed", allowed), ("expires", "30")];
        let shown = owner.submit("/panel/tokens", "/panel/tokens", &fields).await;
        assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY, "{name} {allowed}");
        shown.says(reason);
        shown.says("<option value=\"30\" selected>");
    }
    assert!(stage.tokens(EMAIL).await.is_empty());
}

#[actix_web::test]
async fn a_lifetime_that_is_not_offered_makes_no_token() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    for expires in ["0", "-1", "99999999999", "x"] {
        let shown = owner.submit("/panel/tokens", "/panel/tokens", &[("name", "mía"), ("expires", expires)]).await;
        assert_eq!(shown.status, StatusCode::BAD_REQUEST, "{expires}");
    }
    assert!(stage.tokens(EMAIL).await.is_empty());
}

#[actix_web::test]
async fn a_token_is_revoked_after_a_question_and_stays_on_the_page() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    let token = stage.token(&mut owner, "facturación").await;
    let path = format!("/panel/tokens/{}/revocar", token);
    let question = owner.get(&path).await;
    question.says("¿Revocar «facturación»?");
    owner.get("/panel/tokens").await.says("Vigente");
    assert_eq!(owner.submit(&path, &path, &[]).await.leads_to(), "/panel/tokens");
    let shown = owner.get("/panel/tokens").await;
    shown.says("Revocado");
    shown.hides("Vigente");
    assert_eq!(owner.get(&path).await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn a_token_limited_to_addresses_says_so() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    let fields = [("name", "mía"), ("expires", ""), ("allowed", "203.0.113.0/24\r\n\r\n  2001:db8::1  \r\n")];
    assert_eq!(owner.submit("/panel/tokens", "/panel/tokens", &fields).await.status, StatusCode::CREATED);
    let shown = owner.get("/panel/tokens").await;
    shown.says("Solo desde 203.0.113.0/24, 2001:db8::1");
}
