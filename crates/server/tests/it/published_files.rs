//! The operations of the published files, and every way to ask for them, on a registry with all datasets.

use std::sync::Arc;

use actix_http::Request;
use actix_web::body::BoxBody;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::http::Method;
use actix_web::{Error, test};
use kuraka_adapters::clock::SystemClock;
use kuraka_domain::{
    ActivityRank, AnnexPremises, Date, DomicileCondition, EconomicActivity, OpenData, OperatingIncapacity, Ruc,
    TaxpayerProfile, TaxpayerStatus, TaxpayerSummary, Ubigeo,
};
use kuraka_ports::fake::{MemoryStore, ScriptedRegistry};
use kuraka_ports::{Edition, EditionOrigin, SnapshotDataset};
use kuraka_sandbox::sample;
use kuraka_server::http::ENDPOINTS;
use kuraka_server::metrics::Metrics;
use serde_json::{Value, json};

use super::served::{served, test_api::api};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const EDITION: &str = "2026-11-20-0a1b2c3d";
const ANNEXES_EDITION: &str = "2026-11-18-00000001";
const OPEN_DATA_EDITION: &str = "2026-10-01-00000003";
const SSCO_EDITION: &str = "2026-11-01-00000002";

fn company() -> Ruc {
    Ruc::parse(sample::COMPANY).unwrap()
}

fn edition(label: &str) -> Edition {
    Edition {
        label: label.into(),
        digest: None,
        date: Date::parse(&label[..10]).unwrap(),
        origin: EditionOrigin::Published,
        rows: 1,
    }
}

fn profile() -> TaxpayerProfile {
    TaxpayerProfile {
        summary: TaxpayerSummary {
            ruc: company(),
            name: "3M PERU S A".to_owned(),
            status: TaxpayerStatus::Active,
            condition: DomicileCondition::Found,
            address: "AV. UNO NRO. 1".to_owned(),
            ubigeo: Ubigeo::parse("150131").ok(),
            withholding_agent: Some(true),
            good_taxpayer: Some(false),
        },
        lists: Some(Vec::new()),
        annex_count: Some(1),
        annexes: Some(vec![AnnexPremises {
            address: "JR. DOS NRO. 2".to_owned(),
            ubigeo: Ubigeo::parse("150122").ok(),
        }]),
        open_data: Some(Some(Box::new(OpenData {
            month: Date::parse("2026-10-01").unwrap(),
            taxpayer_type: "SOCIEDAD ANONIMA".to_owned(),
            activities: vec![EconomicActivity {
                rank: ActivityRank::Principal,
                ciiu: String::new(),
                description: "VENTA AL POR MAYOR".to_owned(),
            }],
            workers: Some(120),
            issuing_system: "MANUAL".to_owned(),
            accounting_system: "COMPUTARIZADO".to_owned(),
            foreign_trade: "IMPORTADOR".to_owned(),
        }))),
        operating_incapacity: Some(Some(OperatingIncapacity {
            resolution: "021".to_owned(),
            resolved: Date::parse("2024-05-02").ok(),
            final_since: Date::parse("2024-07-01").ok(),
        })),
        sanctions: Some(Vec::new()),
    }
}

/// The datasets beside the padrón. Those that are missing have no edition.
fn datasets(missing: &[&str]) -> Vec<SnapshotDataset> {
    let others = [("anexos", ANNEXES_EDITION), ("datos_abiertos", OPEN_DATA_EDITION), ("ssco", SSCO_EDITION)];
    let dataset = |(name, label)| {
        let edition = (!missing.contains(&name)).then(|| Arc::new(edition(label)));
        SnapshotDataset { name, edition, is_damaged: false }
    };
    others.map(dataset).into()
}

/// The operations on a registry with one taxpayer and these datasets, and the value of the header with the caller's
/// token.
async fn start(
    profile: TaxpayerProfile,
    datasets: Vec<SnapshotDataset>,
) -> (impl Service<Request, Response = ServiceResponse<BoxBody>, Error = Error>, Arc<Metrics>, String) {
    let registry = ScriptedRegistry::empty();
    registry.publish_all(edition(EDITION), [profile], datasets);
    let (api, token) = api(Arc::new(MemoryStore::new()), Arc::new(SystemClock::start()), registry).await;
    let metrics = Arc::clone(&api.metrics);
    (test::init_service(served(api)).await, metrics, format!("Bearer {}", token.reveal()))
}

/// An answer: the status, the values of `X-Source`, `X-Source-Status`, `X-Registry-Edition` and `Retry-After`, and the
/// envelope without its time.
struct Answer {
    status: u16,
    headers: [Option<String>; 4],
    left: Option<String>,
    envelope: Value,
}

async fn ask<S>(app: &S, token: &str, method: Method, path: &str, content: Option<(&str, String)>) -> Answer
where
    S: Service<Request, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    let mut request = test::TestRequest::default().method(method).uri(path).insert_header(("Authorization", token));
    if let Some((media_type, body)) = content {
        request = request.insert_header(("Content-Type", media_type)).set_payload(body);
    }
    let response = test::call_service(app, request.to_request()).await;
    let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    let headers = ["X-Source", "X-Source-Status", "X-Registry-Edition", "Retry-After"].map(header);
    let (status, left) = (response.status().as_u16(), header("RateLimit"));
    let mut envelope: Value = test::read_body_json(response).await;
    envelope.as_object_mut().unwrap().remove("time");
    Answer { status, headers, left, envelope }
}

fn body(ruc: &str) -> Option<(&'static str, String)> {
    Some((JSON, json!({ "ruc": ruc }).to_string()))
}

fn headers(source: &str, edition: &str) -> [Option<String>; 4] {
    [Some(source.to_owned()), Some("live".to_owned()), Some(edition.to_owned()), None]
}

#[actix_web::test]
async fn every_operation_of_the_files_answers_its_record_and_the_edition() {
    let (app, _, token) = start(profile(), datasets(&[])).await;
    for (path, source, edition, data) in [
        (
            "/ruc-ficha",
            "registry",
            EDITION,
            json!({"ruc": sample::COMPANY, "anexos": {"total": 1}, "no_disponibles": []}),
        ),
        (
            "/ruc-ssco",
            "registry",
            SSCO_EDITION,
            json!({"ruc": sample::COMPANY, "sin_capacidad_operativa":
                {"resolucion": "021", "fecha_resolucion": "2024-05-02", "firme_desde": "2024-07-01"}}),
        ),
        (
            "/ruc-official",
            "open-data",
            OPEN_DATA_EDITION,
            json!({
                "ruc": sample::COMPANY,
                "nombre_o_razon_social": "3M PERU S A",
                "estado": "ACTIVO",
                "condicion": "HABIDO",
                "direccion_completa": "AV. UNO NRO. 1 - SAN ISIDRO - LIMA - LIMA",
                "tipo_contribuyente": "SOCIEDAD ANONIMA",
                "fecha_inscripcion": null,
                "actividades_economicas": ["VENTA AL POR MAYOR"],
                "sistema_emision": "MANUAL",
                "actividad_comercio_exterior": "IMPORTADOR",
                "fecha_baja": null,
            }),
        ),
    ] {
        let answer = ask(&app, &token, Method::POST, path, body(sample::COMPANY)).await;
        assert_eq!((answer.status, answer.headers), (200, headers(source, edition)), "{path}");
        for (field, value) in data.as_object().unwrap() {
            assert_eq!(answer.envelope["data"][field], *value, "{path} {field}");
        }
    }
    let answer = ask(&app, &token, Method::POST, "/ruc-anexos", body(sample::COMPANY)).await;
    assert_eq!((answer.status, answer.headers), (200, headers("registry", ANNEXES_EDITION)));
    assert_eq!(answer.envelope["data"].as_array().unwrap().len(), 1);
    assert_eq!(answer.envelope["data"][0]["direccion_completa"], "JR. DOS NRO. 2 - MIRAFLORES - LIMA - LIMA");
}

#[actix_web::test]
async fn aliases_forms_and_paths_get_the_answer_of_the_operation() {
    let (app, _, token) = start(profile(), datasets(&[])).await;
    let mut asked = 0;
    for operation in ENDPOINTS.map(|endpoint| endpoint.operation) {
        if operation.path_parameter != Some("ruc") {
            continue;
        }
        for ruc in [sample::COMPANY, sample::ABSENT, sample::BAD_CHECK_DIGIT] {
            let own = ask(&app, &token, Method::POST, &format!("/{}", operation.name), body(ruc)).await;
            // With the original's fields.
            let legacy = ask(&app, &token, Method::POST, &format!("/api/{}", operation.name), body(ruc)).await;
            assert_eq!((legacy.status, &legacy.envelope["code"]), (own.status, &own.envelope["code"]));
            let form = || Some((FORM, format!("otro=%20&ruc={ruc}")));
            for name in std::iter::once(&operation.name).chain(operation.aliases) {
                for path in [format!("/{name}"), format!("/api/{name}")] {
                    let mut answers = vec![
                        ask(&app, &token, Method::POST, &path, body(ruc)).await,
                        ask(&app, &token, Method::GET, &format!("{path}/{ruc}"), None).await,
                    ];
                    let answer = ask(&app, &token, Method::POST, &path, form()).await;
                    if path == format!("/{}", operation.name) && !operation.takes_forms {
                        assert_eq!((answer.status, &answer.envelope["code"]), (415, &"unsupported_media_type".into()));
                    } else {
                        answers.push(answer);
                    }
                    let expected = if path == format!("/{}", operation.name) { &own } else { &legacy };
                    for answer in answers {
                        assert_eq!((answer.status, &answer.envelope), (expected.status, &expected.envelope), "{path}");
                        assert_eq!(answer.headers, expected.headers, "{path}");
                        asked += 1;
                    }
                }
            }
        }
    }
    assert!(asked > 150, "{asked}");
}

#[actix_web::test]
async fn a_known_ruc_without_annexes_is_an_empty_list_and_an_unknown_one_is_not_found() {
    let without = TaxpayerProfile { annex_count: Some(0), annexes: Some(Vec::new()), ..profile() };
    let (app, _, token) = start(without, datasets(&[])).await;
    let answer = ask(&app, &token, Method::POST, "/ruc-anexos", body(sample::COMPANY)).await;
    let expected = json!({"success": true, "code": "found", "retryable": false, "data": []});
    assert_eq!((answer.status, answer.envelope), (200, expected));
    for path in ["/ruc-ficha", "/ruc-anexos", "/ruc-ssco"] {
        let answer = ask(&app, &token, Method::POST, path, body(sample::ABSENT)).await;
        assert_eq!((answer.status, &answer.envelope["code"]), (404, &"document_not_found".into()), "{path}");
        assert_eq!(answer.headers, headers("registry", EDITION), "{path}");
    }
}

#[actix_web::test]
async fn a_missing_dataset_is_unavailable_with_a_message_that_names_it() {
    let unknown = TaxpayerProfile { operating_incapacity: None, annex_count: None, annexes: None, ..profile() };
    let (app, _, token) = start(unknown, datasets(&["anexos", "ssco"])).await;
    for (path, dataset) in [("/ruc-anexos", "anexos"), ("/ruc-ssco", "ssco")] {
        let answer = ask(&app, &token, Method::POST, path, body(sample::COMPANY)).await;
        assert_eq!((answer.status, &answer.envelope["code"]), (503, &"upstream_unavailable".into()));
        assert!(answer.envelope["message"].as_str().unwrap().contains(&format!("\"{dataset}\"")), "{path}");
        assert_eq!(answer.headers, [None, None, None, Some("300".to_owned())], "{path}");
    }
    let answer = ask(&app, &token, Method::POST, "/ruc-ficha", body(sample::COMPANY)).await;
    let data = &answer.envelope["data"];
    assert_eq!((&data["anexos"], &data["sin_capacidad_operativa"]), (&Value::Null, &Value::Null));
    assert_eq!(data["no_disponibles"], json!(["anexos", "ssco"]));
}

#[actix_web::test]
async fn the_open_data_is_counted_and_what_it_does_not_know_stays_unavailable() {
    let unknown = TaxpayerProfile { open_data: Some(None), ..profile() };
    let (app, _, token) = start(unknown, datasets(&[])).await;
    let answer = ask(&app, &token, Method::POST, "/ruc-official", body(sample::COMPANY)).await;
    assert_eq!((answer.status, &answer.envelope["code"]), (503, &"upstream_unavailable".into()));

    let (app, metrics, token) = start(profile(), datasets(&[])).await;
    for _ in 0..2 {
        let answer = ask(&app, &token, Method::GET, &format!("/ruc-sunat/{}", sample::COMPANY), None).await;
        // `live` each time: the answer is not cached.
        assert_eq!(answer.headers, headers("open-data", OPEN_DATA_EDITION));
    }
    let counted = metrics.print().unwrap();
    for line in ["kuraka_open_data_answers_total 2", r#"kuraka_answers_total{operation="ruc-official",code="found"} 2"#]
    {
        assert!(counted.contains(line), "{line} in {counted}");
    }
}

#[actix_web::test]
async fn each_request_costs_one_query_and_a_refused_one_none() {
    let (app, _, token) = start(profile(), datasets(&[])).await;
    let mut charged = 0;
    for (method, path, content, status) in [
        (Method::POST, "/ruc-ficha", body(sample::COMPANY), 200),
        (Method::POST, "/ruc_anexos", body(sample::ABSENT), 404),
        (Method::GET, "/ruc-ssco/20100119227", None, 200),
        (Method::GET, "/ruc-ssco/x", None, 400),
        (Method::POST, "/ruc-ficha", Some((FORM, "ruc=20100119227".to_owned())), 415),
        (Method::GET, "/ruc-ficha/20100119227?token=x", None, 400),
    ] {
        let answer = ask(&app, &token, method, path, content).await;
        assert_eq!(answer.status, status, "{path}");
        charged += u64::from(status != 415 && !path.contains('?'));
        if let Some(left) = answer.left {
            assert!(left.contains(&format!("\"monthly\";r={};", 1_000 - charged)), "{path}: {left}");
        }
    }
    assert_eq!(charged, 4);
}
