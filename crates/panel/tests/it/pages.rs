//! The pages that only tell: landing, plan, status, playground.

use actix_web::http::StatusCode;
use kuraka_panel::source_status::{Role, Source, State};

use crate::browser::Browser;
use crate::stage::{PASSWORD, Stage};

const EMAIL: &str = "ana@kuraka.example";

#[actix_web::test]
async fn the_landing_page_says_what_there_is_and_how_to_begin() {
    let stage = Stage::new().await;
    let shown = Browser::new(&stage).get("/").await;
    assert_eq!(shown.status, StatusCode::OK);
    for text in ["Crear cuenta", "document_not_found", "upstream_unavailable", "1,000 consultas al mes", "18,234,511"] {
        shown.says(text);
    }
    shown.says("http://panel.example/ruc");
    stage.signed_in(EMAIL).await.get("/").await.says("Ir al panel");
}

#[actix_web::test]
async fn where_nobody_may_sign_up_nothing_offers_it_and_nothing_does() {
    let stage = Stage::without_sign_up().await;
    let mut browser = Browser::new(&stage);
    browser.get("/").await.hides("/registro");
    browser.get("/ingresar").await.hides("/registro");
    browser.get("/registro").await.says("las cuentas las crea el operador");
    let token = browser.get("/ingresar").await.form_token();
    let fields = [("form_token", token.as_str()), ("email", EMAIL), ("password", PASSWORD)];
    assert_eq!(browser.post("/registro", &fields).await.status, StatusCode::FORBIDDEN);
    assert!(!stage.has_account(EMAIL).await);
}

#[actix_web::test]
async fn the_address_to_call_is_the_public_one_where_it_is_known() {
    let stage = Stage::at("https://kuraka.example").await;
    let mut owner = stage.signed_in(EMAIL).await;
    let shown = owner.get("/panel/probar").await;
    shown.says("https://kuraka.example/ruc");
    shown.hides("panel.example");
}

#[actix_web::test]
async fn the_playground_shows_each_operation_in_five_languages_without_a_script() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    for (query, path) in [("", "/ruc"), ("?operacion=ruc-official", "/ruc-official"), ("?operacion=cpe", "/cpe")] {
        let shown = owner.get(&format!("/panel/probar{query}")).await;
        shown.says(&format!("data-path=\"{path}\""));
        assert_eq!(shown.body.matches("<details name=\"sample\"").count(), 5);
        assert_eq!(shown.body.matches(&format!("http://panel.example{path}")).count(), 5, "{path}");
    }
    owner.get("/panel/probar?ejemplo=2").await.says("20999999990&#34;}</textarea>");
}

#[actix_web::test]
async fn the_plan_page_tells_the_terms_and_what_else_there_is() {
    let stage = Stage::new().await;
    let shown = stage.signed_in(EMAIL).await.get("/panel/plan").await;
    for text in ["Plan free", "1,000", "Otros planes", "empresa", "100,000"] {
        shown.says(text);
    }
}

#[actix_web::test]
async fn the_state_of_sources_is_told_in_words() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    let shown = owner.get("/panel/estado").await;
    for text in ["18,234,511", "Al día", "2026-11-20-8c1f22ab", "no tiene ninguna fuente configurada"] {
        shown.says(text);
    }
    stage.set_sources(&[
        Source { role: Role::OfficialPage, state: State::Paused },
        Source { role: Role::Provider, state: State::Active },
        Source { role: Role::Vouchers, state: State::Probing },
    ]);
    let shown = owner.get("/panel/estado").await;
    for text in ["En pausa", "Responde", "A prueba"] {
        shown.says(text);
    }
}

#[actix_web::test]
async fn an_old_edition_and_none_are_told() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    stage.publish_edition_of("2026-11-01");
    owner.get("/panel/estado").await.says("La edición tiene 19 días");
    let stage = Stage::without_edition().await;
    stage.signed_in(EMAIL).await.get("/panel/estado").await.says("Todavía no hay ninguna edición");
    Browser::new(&stage).get("/").await.hides("Sobre qué datos responde");
}
