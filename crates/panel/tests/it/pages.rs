//! The pages without forms to submit: landing, plan, status, playground.

use actix_web::http::StatusCode;
use kuraka_domain::DatasetRole;
use kuraka_panel::source_status::{Role, Source, State};
use kuraka_ports::{DatasetProgress, DatasetStatus};

use crate::browser::Browser;
use crate::test_app::{EMAIL, PASSWORD, TestApp, failed, padron};

#[actix_web::test]
async fn the_landing_page_shows_the_offer_and_the_edition() {
    let app = TestApp::new().await;
    let response = Browser::new(&app).get("/").await;
    assert_eq!(response.status, StatusCode::OK);
    response.assert_all([
        "Crear cuenta",
        "document_not_found",
        "upstream_unavailable",
        "1,000 consultas al mes",
        "18,234,511",
    ]);
    response.assert_all(["http://panel.example/ruc", "href=\"/docs/primera-consulta\""]);
    response.assert_all(["Datos disponibles hoy", "Para su oficina", "Para su programa", "registro de compras"]);
    app.signed_in(EMAIL).await.get("/").await.assert_contains("Ir al panel");
    let list = DatasetStatus { name: "retencion", role: DatasetRole::List(None), edition: None, ..padron() };
    app.set_datasets(&[list.clone(), padron()]);
    Browser::new(&app).get("/").await.assert_contains("18,234,511");
    app.set_datasets(&[DatasetStatus { edition: None, ..padron() }, list]);
    Browser::new(&app).get("/").await.assert_lacks("Datos disponibles hoy");
}

#[actix_web::test]
async fn the_landing_page_tells_how_far_the_first_data_are_and_no_cause() {
    let app = TestApp::new().await;
    let last_attempt = Some(failed("10.0.0.5 refused", ""));
    for (stage, percent, text) in [
        (Some("download"), Some(40), "está preparando los datos, 40 %."),
        (Some("index"), None, "está preparando los datos."),
        (None, None, "todavía no tiene datos. Si usted lo administra, ejecute kuraka doctor"),
    ] {
        let progress = stage.map(|stage| DatasetProgress { stage, percent });
        let last_attempt = last_attempt.clone();
        app.set_datasets(&[DatasetStatus { edition: None, progress, last_attempt, ..padron() }]);
        let page = Browser::new(&app).get("/").await;
        page.assert_contains(text);
        page.assert_contains("<meta http-equiv=\"refresh\" content=\"5\">");
        page.assert_lacks("10.0.0.5");
    }
    let progress = Some(DatasetProgress { stage: "download", percent: Some(40) });
    app.set_datasets(&[DatasetStatus { progress, ..padron() }]);
    let page = Browser::new(&app).get("/").await;
    page.assert_none(["preparando", "refresh"]);
}

#[actix_web::test]
async fn closed_sign_up_is_neither_offered_nor_possible() {
    let app = TestApp::with(|panel| panel.site.sign_up = None).await;
    let mut browser = Browser::new(&app);
    browser.get("/").await.assert_lacks("/registro");
    browser.get("/ingresar").await.assert_lacks("/registro");
    browser.get("/registro").await.assert_contains("las cuentas las crea el operador");
    let token = browser.get("/ingresar").await.form_token();
    let fields = [("form_token", token.as_str()), ("email", EMAIL), ("password", PASSWORD)];
    assert_eq!(browser.post("/registro", &fields).await.status, StatusCode::FORBIDDEN);
    assert!(!app.has_account(EMAIL).await);
}

#[actix_web::test]
async fn the_playground_works_without_javascript_up_to_sending() {
    let (_, mut owner) = TestApp::owner().await;
    for (query, path) in [("", "/ruc"), ("?operacion=ruc-official", "/ruc-official"), ("?operacion=cpe", "/cpe")] {
        let response = owner.get(&format!("/panel/probar{query}")).await;
        response.assert_contains(&format!("data-path=\"{path}\""));
        assert_eq!(response.body.matches("<details name=\"sample\"").count(), 5);
        assert_eq!(response.body.matches(&format!("http://panel.example{path}")).count(), 5, "{path}");
    }
    owner.get("/panel/probar?ejemplo=2").await.assert_contains("20999999990&#34;}</textarea>");
}

#[actix_web::test]
async fn the_plan_page_shows_this_plan_and_the_others() {
    let app = TestApp::new().await;
    let response = app.signed_in(EMAIL).await.get("/panel/plan").await;
    response.assert_all(["Plan free", "1,000", "Otros planes", "empresa", "100,000"]);
}

#[actix_web::test]
async fn the_status_page_describes_the_state_of_each_source() {
    let (app, mut owner) = TestApp::owner().await;
    owner.get("/estado").await.assert_contains("no tiene ninguna fuente configurada");
    app.set_sources(&[
        Source { role: Role::OfficialPage, state: State::Paused },
        Source { role: Role::Provider, state: State::Active },
        Source { role: Role::Vouchers, state: State::Probing },
    ]);
    app.panel.show_service(&kuraka_app::ServiceReport::default(), &[]);
    let response = owner.get("/estado").await;
    response.assert_all(["En pausa", "Responde", "En comprobación"]);
}

#[actix_web::test]
async fn pages_tell_whom_to_ask() {
    let mut without = Browser::new(&TestApp::new().await).get("/ingresar").await;
    without.assert_contains("¿Olvidó su contraseña? Pida una nueva a quien administra este servicio.");
    for (contact, shown) in [
        ("ayuda@kuraka.example", "<a href=\"mailto:ayuda@kuraka.example\">ayuda@kuraka.example</a>"),
        ("https://kuraka.example/ayuda", "<a href=\"https://kuraka.example/ayuda\">https://kuraka.example/ayuda</a>"),
        ("Luz <anexo 12>", "Luz &#60;anexo 12&#62;"),
        ("javascript:alert(1)@a", "javascript:alert(1)@a"),
    ] {
        let app = TestApp::with(|panel| panel.site.contact = Some(contact.to_owned())).await;
        without = Browser::new(&app).get("/ingresar").await;
        without.assert_contains(&format!("a quien administra este servicio: {shown}"));
        let mut owner = app.signed_in(EMAIL).await;
        app.use_queries_up_to(EMAIL, 1_000).await;
        for path in ["/panel/consumo", "/panel/plan"] {
            owner.get(path).await.assert_contains(&format!("pídalas a quien administra este servicio: {shown}"));
        }
        let end = owner.follow("/panel/consultar/20100119227").await;
        assert_eq!(end.status, StatusCode::TOO_MANY_REQUESTS);
        end.assert_all([shown, "quedan 0 en este mes. Se renuevan el 1 de diciembre.", "aria-label=\"Secciones\""]);
    }
}
