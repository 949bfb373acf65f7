//! `POST /ruc-busqueda` on a registry whose index goes through every taxpayer.

use std::sync::Arc;

use actix_http::Request;
use actix_web::body::BoxBody;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::{Error, test};
use kuraka_adapters::clock::SystemClock;
use kuraka_api::ruc_busqueda;
use kuraka_domain::{Date, DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary, Ubigeo};
use kuraka_ports::fake::{MemoryStore, ScriptedRegistry};
use kuraka_ports::{Edition, EditionOrigin};
use serde_json::{Value, json};

use super::served::{served, test_api::api};

const LABEL: &str = "2026-11-20-1f0c9a3e";

fn company(ruc: &str, name: &str, status: TaxpayerStatus) -> TaxpayerSummary {
    TaxpayerSummary {
        ruc: Ruc::parse(ruc).unwrap(),
        name: name.to_owned(),
        status,
        condition: DomicileCondition::Found,
        address: "CAR. INDUSTRIAL NRO. 055 INT. INT2 DPTO. 3B MZA. F LOTE. 10 KM. 21.5 Z.I. LA ESPERANZA".to_owned(),
        ubigeo: Ubigeo::parse("130111").ok(),
        withholding_agent: Some(true),
        good_taxpayer: Some(true),
    }
}

fn companies() -> [TaxpayerSummary; 3] {
    [
        company("20999990062", "MOLINOS DEL VALLE INVENTADO S.A.A.", TaxpayerStatus::Active),
        company("20999990038", "SOL DE LA MOLINA INVENTADO S.A.", TaxpayerStatus::Deregistered),
        company("10999990075", "MOLINA INVENTADA ANA", TaxpayerStatus::Active),
    ]
}

/// The operations on this registry, and the value of the header with the caller's token.
async fn start(
    registry: ScriptedRegistry,
) -> (impl Service<Request, Response = ServiceResponse<BoxBody>, Error = Error>, String) {
    let (api, token) = api(Arc::new(MemoryStore::new()), Arc::new(SystemClock::start()), registry).await;
    (test::init_service(served(api)).await, format!("Bearer {}", token.reveal()))
}

fn indexed() -> ScriptedRegistry {
    let date = Date::parse(&LABEL[..10]).unwrap();
    ScriptedRegistry::with(
        Edition { label: LABEL.into(), digest: None, date, origin: EditionOrigin::Published, rows: 3 },
        companies(),
    )
}

/// The status, these headers and the envelope of an answer.
async fn ask<S>(app: &S, token: &str, path: &str, media_type: &str, body: &str) -> (u16, [Option<String>; 3], Value)
where
    S: Service<Request, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    let request = test::TestRequest::post().uri(path).insert_header(("Authorization", token));
    let request = request.insert_header(("Content-Type", media_type)).set_payload(body.to_owned());
    let response = test::call_service(app, request.to_request()).await;
    let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    let headers = ["x-registry-edition", "retry-after", "ratelimit"].map(header);
    (response.status().as_u16(), headers, test::read_body_json(response).await)
}

async fn search<S>(app: &S, token: &str, body: Value) -> Value
where
    S: Service<Request, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    let (status, [edition, ..], envelope) =
        ask(app, token, "/ruc-busqueda", "application/json", &body.to_string()).await;
    assert_eq!((status, edition.as_deref()), (200, Some(LABEL)), "{envelope}");
    envelope["data"].clone()
}

#[actix_web::test]
async fn a_search_is_answered_a_page_at_a_time_with_companies_only() {
    let (app, token) = start(indexed()).await;
    let example: Value = serde_json::from_str(ruc_busqueda::OPERATION.response.example).unwrap();
    let request: Value = serde_json::from_str(ruc_busqueda::OPERATION.request.unwrap().example).unwrap();
    let first = search(&app, &token, request).await;
    assert_eq!(first, example["data"]);
    let next = json!({"nombre": "MOLIN", "limite": "50", "cursor": first["siguiente"], "estado": null});
    let second = search(&app, &token, next).await;
    assert_eq!(second["resultados"].as_array().unwrap().len(), 1);
    assert_eq!((&second["resultados"][0]["ruc"], &second["siguiente"]), (&json!("20999990038"), &json!(null)));
    for (body, found) in [
        (json!({"nombre": "nada de esto"}), 0),
        (json!({"nombre": "olino", "modo": "contiene"}), 1),
        (json!({"nombre": "sol de la m", "modo": "comienzo"}), 1),
        (json!({"nombre": "molin", "estado": "baja definitiva"}), 1),
        (json!({"nombre": "molin", "departamento": "La Libertad", "condicion": "HABIDO"}), 2),
        (json!({"nombre": "molin", "departamento": "LIMA"}), 0),
    ] {
        assert_eq!(search(&app, &token, body.clone()).await["resultados"].as_array().unwrap().len(), found, "{body}");
    }
}

#[actix_web::test]
async fn a_form_at_the_alias_is_answered_too() {
    let (app, token) = start(indexed()).await;
    let form = "nombre=Molin&limite=1&modo=palabras";
    let (status, _, envelope) = ask(&app, &token, "/api/ruc_busqueda", "application/x-www-form-urlencoded", form).await;
    assert_eq!((status, &envelope["data"]["resultados"][0]["ruc"]), (200, &json!("20999990062")));
}

#[actix_web::test]
async fn without_an_index_a_search_is_unavailable_and_not_charged() {
    let registry = indexed();
    registry.drop_index();
    let (app, token) = start(registry).await;
    for _ in 0..2 {
        let (status, [edition, retry_after, limits], envelope) =
            ask(&app, &token, "/ruc-busqueda", "application/json", r#"{"nombre": "molin"}"#).await;
        assert_eq!((status, &envelope["code"]), (503, &json!("service_unavailable")));
        assert_eq!((edition, retry_after.as_deref()), (None, Some("300")));
        assert!(envelope["message"].as_str().unwrap().contains("no tiene el índice de nombres"), "{envelope}");
        assert!(limits.unwrap().contains("\"monthly\";r=1000;"), "the query was refunded");
    }
    let (status, [.., limits], _) = ask(&app, &token, "/ruc-busqueda", "application/json", "{}").await;
    assert!(status == 400 && limits.unwrap().contains("\"monthly\";r=999;"), "the charge comes before the fields");
}
