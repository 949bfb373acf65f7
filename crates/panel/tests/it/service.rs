//! The page *Servicio* and its JSON, for everyone or after a log-in.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::http::header;
use kuraka_app::{ServiceReport, measuring::ServiceDay};
use kuraka_domain::Date;
use kuraka_panel::source_status::{Role, Source, State};
use kuraka_ports::{CallCounts, DatasetState, DatasetStatus, StoreErrorKind};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::test_app::{EMAIL, PASSWORD, TestApp, padron};

/// A day without a loss, and half a day of which a fourth was not measured.
fn report() -> ServiceReport {
    let day = |date, ok, bad, unmeasured| ServiceDay { date: Date::parse(date).unwrap(), ok, bad, unmeasured };
    let counts =
        CallCounts { calls: 100, failed: 10, times: [(1_000, 50), (2_000, 50)].into(), ..CallCounts::default() };
    let subjects = ["/ruc", "respaldo"].map(|name| (name.to_owned(), counts.clone()));
    ServiceReport {
        until: Some("2026-11-20T15:00:00Z".parse().unwrap()),
        days: vec![day("2026-11-19", 1_440, 0, 0), day("2026-11-20", 530, 10, 180)],
        subjects: BTreeMap::from(subjects),
    }
}

#[actix_web::test]
async fn the_service_is_shown_to_everyone_without_the_store() {
    let app = TestApp::with_public_status().await;
    let mut owner = app.signed_in(EMAIL).await;
    let source = |role, state| Source { role, state };
    app.set_sources(&[source(Role::Provider, State::Paused), source(Role::Provider, State::Active)]);
    let state = DatasetState::Unreadable;
    app.set_datasets(&[DatasetStatus { state, ..padron() }]);
    app.panel.show_service(&report(), &["/cpe".to_owned()]);
    let asked = app.store.asked();
    app.store.fail(StoreErrorKind::Unavailable);
    for browser in [&mut owner, &mut Browser::new(&app)] {
        let page = browser.get("/estado").await;
        assert_eq!(page.status, StatusCode::OK);
        page.assert_all([
            "Con fallas ahora: /cpe, Padrón reducido del RUC.",
            "1 de 2 días",
            "82.50 %",
            "1.00 ms",
            "1.98 ms",
            "a lo más 7 días",
        ]);
        assert_eq!(page.body.matches("Proveedores de respaldo").count(), 1, "all providers together");
        page.assert_lacks(EMAIL);
        assert_eq!(browser.get("/panel/estado").await.location(), "/estado");
        let json = browser.get("/estado.json").await;
        assert_eq!(json.header(&header::ACCESS_CONTROL_ALLOW_ORIGIN), "*");
        let json: Value = serde_json::from_str(&json.body).unwrap();
        assert_eq!(json["generado"], "2026-11-20T15:00:00Z");
        let operation = |name| json["operaciones"].as_array().unwrap().iter().find(|it| it["nombre"] == name).unwrap();
        assert_eq!(operation("ruc"), &json!({"nombre": "ruc", "disponibilidad": 0.825, "p50_ms": 1.0, "p99_ms": 1.98}));
        assert_eq!(
            operation("cpe"),
            &json!({"nombre": "cpe", "disponibilidad": 0.916667, "p50_ms": null, "p99_ms": null})
        );
        assert_eq!(json["fuentes"], json!([{"nombre": "respaldo", "disponibilidad": 0.825, "p50_ms": 1.0}]));
        let dataset =
            json!({"nombre": "padron", "edicion": "2026-11-20-8c1f22ab", "fecha": "2026-11-20", "max_dias": 7});
        assert_eq!(json["datasets"], json!([dataset]));
        let day = json!({"fecha": "2026-11-20", "minutos_ok": 530, "minutos_mal": 10, "sin_medicion": 180});
        assert_eq!(json["dias"][1], day);
    }
    assert_eq!(app.store.asked(), asked, "the store was asked");
}

#[actix_web::test]
async fn the_service_needs_a_log_in_unless_it_is_public() {
    let app = TestApp::new().await;
    app.signed_in(EMAIL).await;
    let mut visitor = Browser::new(&app);
    assert_eq!(visitor.get("/estado").await.location(), "/ingresar?volver=/estado");
    assert_eq!(visitor.get("/estado.json").await.status, StatusCode::NOT_FOUND);
    let fields = [("email", EMAIL), ("password", PASSWORD), ("volver", "/estado")];
    let page = visitor.submit("/ingresar?volver=/estado", "/ingresar", &fields).await;
    assert_eq!(page.location(), "/estado");
    let page = visitor.get("/estado").await;
    page.assert_contains(EMAIL);
    page.assert_contains("Todas las operaciones responden");
}
