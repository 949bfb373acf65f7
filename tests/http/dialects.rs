//! Dialects: the requests that programs send to other providers, answered in the form of each provider. The table names
//! the program that a request was read in.

use std::fs;

use kuraka_domain::Date;
use kuraka_sandbox::sample;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::app::{App, Owner, scene};
use crate::legacy_requests::{fields, form, multipart};
use crate::request::Request;

const ALL: &str = "migo, apisperu, decolecta, apisnetpe, peruapi, factiliza, jsonpe";

/// How a program sends its fields.
#[derive(Clone, Copy)]
enum Sent {
    Path,
    Query,
    Json,
    Form,
    Multipart,
}

use Sent::{Form, Json, Multipart, Path, Query};

/// A program's request: its name, the path below `/compat` with the RUC in braces, the way and the name of its fields, and
/// the pointers that it reads as texts that are not empty.
type Program = (&'static str, &'static str, Sent, &'static str, &'static [&'static str]);

const PROGRAMS: [Program; 21] = [
    ("an Odoo service", "/migo/api/v1/ruc", Json, "ruc", &["/nombre_o_razon_social"]),
    (
        "an Odoo module for apiperu and migo",
        "/migo/api/v1/ruc/",
        Form,
        "ruc",
        &["/ubigeo", "/direccion_simple", "/condicion_de_domicilio", "/estado_del_contribuyente", "/ruc"],
    ),
    ("an Odoo module of query_ruc_dni", "/migo/api/v1/ruc", Query, "ruc", &["/nombre_o_razon_social", "/ubigeo"]),
    ("a quotation in jQuery", "/migo/api/v1/ruc", Multipart, "ruc", &["/nombre_o_razon_social", "/direccion"]),
    ("a program with GET", "/migo/api/v1/ruc", Path, "ruc", &["/nombre_o_razon_social"]),
    ("ConsumirApis.cs", "/apisperu/api/v1/ruc/{ruc}", Path, "", &["/ruc", "/razonSocial", "/estado", "/condicion"]),
    ("a sales program in Django", "/apisperu/api/v1/ruc/{ruc}", Path, "", &["/ruc", "/razonSocial", "/direccion"]),
    (
        "a worker with APIPERU_BASE_URL",
        "/apisperu/api/v1/ruc/{ruc}",
        Path,
        "",
        &["/razonSocial", "/direccion", "/ubigeo"],
    ),
    (
        "a proforma with tests",
        "/decolecta/v1/sunat/ruc",
        Path,
        "numero",
        &["/razon_social", "/numero_documento", "/estado", "/condicion", "/direccion", "/departamento"],
    ),
    ("sunatService.js", "/decolecta//v1/sunat/ruc", Path, "numero", &["/razon_social", "/ubigeo", "/provincia"]),
    ("a program with the full record", "/decolecta/v1/sunat/ruc/full", Path, "numero", &["/razon_social", "/distrito"]),
    ("consulta.php", "/apisnetpe/v1/ruc", Path, "numero", &["/nombre"]),
    (
        "pe_ruc_validation",
        "/apisnetpe/v1/ruc",
        Path,
        "numero",
        &["/nombre", "/numero", "/interior", "/distrito", "/ubigeo"],
    ),
    ("a Laravel tenant", "/apisnetpe/v2/sunat/ruc/full", Path, "numero", &["/razonSocial", "/numeroDocumento"]),
    ("a basic program", "/apisnetpe/v2/sunat/ruc", Path, "numero", &["/razonSocial", "/direccion", "/viaTipo"]),
    ("consulta_completa.py", "/peruapi/api/ruc/{ruc}", Path, "", &["/razon_social", "/estado", "/direccion"]),
    ("IdentityLookupService", "/peruapi/api/ruc/{ruc}?summary=0", Path, "", &["/razon_social", "/ruc", "/condicion"]),
    ("the documents of peruapi", "/peruapi/api.php?json=ruc", Path, "id", &["/razon_social", "/ubigeo"]),
    (
        "rucApi.ts",
        "/factiliza/v1/ruc/info/{ruc}",
        Path,
        "",
        &["/data/numero", "/data/nombre_o_razon_social", "/data/direccion_completa", "/data/ubigeo/2", "/data/estado"],
    ),
    ("JsonPeClient.java", "/jsonpe/api/ruc", Json, "ruc", &["/data/estado", "/data/condicion", "/data/ubigeo/0"]),
    ("JsonPeApi.php", "/jsonpe/api/ruc/", Json, "ruc", &["/data/nombre_o_razon_social", "/data/ubigeo_sunat"]),
];

/// What each provider says of a found answer and of a RUC that does not exist: pointers with values, and a status.
fn said(dialect: &str) -> (Value, u16, Value) {
    match dialect {
        "migo" => (json!({"/success": true}), 400, json!({"/success": false})),
        "apisperu" => (json!({}), 404, json!({"/success": false, "/message": "No se encontraron resultados."})),
        "decolecta" => (json!({}), 404, json!({"/message": "not found"})),
        "apisnetpe" => (json!({}), 404, json!({})),
        "peruapi" => (json!({"/code": "200"}), 404, json!({"/code": "404"})),
        "factiliza" => (json!({"/status": 200, "/success": true}), 400, json!({"/success": false})),
        _ => (json!({"/success": true, "/message": "exito"}), 404, json!({"/success": false})),
    }
}

async fn start() -> (App, Owner) {
    scene().set("compat.providers", ALL).plan(1_000, 10_000, 10_000).batches(100, 100).start_with_owner().await
}

/// The request of a program about a RUC, without its token.
fn request(app: &App, (_, path, sent, name, _): Program, ruc: &str) -> Request {
    let path = format!("/compat{}", path.replace("{ruc}", ruc));
    let query = if path.contains('?') { '&' } else { '?' };
    let body = json!({ name: ruc });
    match sent {
        Path if name.is_empty() => app.request("GET", &path).header("Content-Type", "application/json"),
        Path => app.request("GET", &format!("{path}{query}{name}={ruc}")),
        Query => app.post(&format!("{path}{query}{name}={ruc}")).json(""),
        Json => app.post(&path).json(body.to_string()),
        Form => form(app.post(&path), &fields(&body)),
        Multipart => multipart(app.post(&path), &fields(&body)),
    }
}

fn assert_says(answer: &Answer, said: &Value, program: &str) {
    assert_eq!(answer.must("content-type"), "application/json");
    for (at, value) in said.as_object().unwrap() {
        assert_eq!(answer.json().pointer(at), Some(value), "{program}: {answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn every_program_is_answered_in_the_form_of_its_provider() {
    let (app, owner) = start().await;
    for program in PROGRAMS {
        let (name, path, _, _, reads) = program;
        let (found, status, absent) = said(path[1..].split('/').next().unwrap());
        let answer = request(&app, program, sample::COMPANY).token(&owner.token).send().await;
        assert_eq!(answer.status, 200, "{name}: {answer:?}");
        assert_says(&answer, &found, name);
        for at in reads {
            let text = answer.json().pointer(at).and_then(Value::as_str).map(str::to_owned);
            assert!(text.is_some_and(|text| !text.is_empty()), "{name}: {at} of {answer:?}");
        }
        assert!(answer.body.contains("3M PERU S A") && !answer.body.contains("GARCILASO"), "{name}: {answer:?}");
        let answer = request(&app, program, sample::ABSENT).token(&owner.token).send().await;
        assert_eq!(answer.status, status, "{name}: {answer:?}");
        assert_says(&answer, &absent, name);
        assert!(
            answer.must("x-source") == "registry" && answer.json().pointer("/data").is_none(),
            "{name}: {answer:?}"
        );
    }
    assert_eq!(app.used(&owner).await, 2 * PROGRAMS.len() as u64, "each call costs what its operation costs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_program_that_splits_the_text_finds_the_name_third_and_the_address_twentieth() {
    let (app, owner) = start().await;
    let answer = app.post("/compat/migo/api/v1/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    let parts: Vec<&str> = answer.body.split(',').collect();
    assert_eq!(parts[2], r#""nombre_o_razon_social":"3M PERU S A""#);
    assert!(parts[19].starts_with(r#""direccion_simple":"AV. ENRIQUE CANAVAL"#), "{}", answer.body);
    // Another one takes an answer with two keys for "not found".
    let answer = app.request("GET", &format!("/compat/apisperu/api/v1/ruc/{}", sample::ABSENT));
    assert_eq!(answer.token(&owner.token).send().await.json().as_object().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_natural_person_has_no_address_in_any_form() {
    let (app, owner) = start().await;
    for program in PROGRAMS {
        let answer = request(&app, program, sample::PERSON).token(&owner.token).send().await;
        assert_eq!(answer.status, 200, "{answer:?}");
        for at in ["/direccion", "/direccion_simple", "/ubigeo", "/distrito", "/data/direccion", "/data/ubigeo/2"] {
            let unknown = [json!("-"), json!(""), Value::Null];
            let value = answer.json().pointer(at).cloned().unwrap_or_default();
            assert!(unknown.contains(&value), "{}: {at} of {answer:?}", program.0);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_error_has_the_shape_of_the_provider_and_is_counted_as_its_operation() {
    let (app, owner) = start().await;
    // Version 1 of this provider took calls without a token; here nothing does.
    for (path, at) in [
        ("/migo/api/v1/ruc", "/message"),
        ("/apisperu/api/v1/ruc/20100119227", "/message"),
        ("/apisnetpe/v1/ruc?numero=20100119227", "/error"),
        ("/apisnetpe/v2/sunat/ruc?numero=20100119227", "/message"),
        ("/peruapi/api/ruc/20100119227", "/mensaje"),
        ("/factiliza/v1/ruc/info/20100119227", "/message"),
    ] {
        let answer = app.request("GET", &format!("/compat{path}")).send().await;
        assert_eq!(answer.status, 401, "{answer:?}");
        assert!(answer.json().pointer(at).and_then(Value::as_str).unwrap().contains("Falta el token"), "{answer:?}");
        assert_eq!(answer.must("www-authenticate"), "Bearer realm=\"kuraka\"");
    }
    let get = |path: &str| app.request("GET", &format!("/compat{path}")).token(&owner.token);
    let answer = get("/peruapi/api/ruc/20100119228").send().await;
    assert_eq!((answer.status, &answer.json()["code"]), (400, &json!("400")), "{answer:?}");
    let answer = get("/factiliza/v1/dni/info/1").send().await;
    assert_eq!((answer.status, &answer.json()["status"]), (404, &json!(404)), "{answer:?}");
    let answer = app.request("PUT", "/compat/migo/api/v1/ruc").token(&owner.token).send().await;
    assert_eq!((answer.status, answer.must("allow")), (405, "GET, POST"));
    assert_eq!(answer.json()["success"], false);
    // A provider that is not served has no shape.
    get("/conflux/ruc/20100119227").send().await.refused("route_not_found");
    get("/migopro/api/v1/ruc").send().await.refused("route_not_found");
    let metrics = app.admin("/metrics").send().await.body;
    assert!(metrics.contains(r#"kuraka_answers_total{operation="ruc",code="unauthenticated"} 6"#), "{metrics}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_providers_own_header_has_the_token() {
    let (app, owner) = start().await;
    let path = format!("/compat/peruapi/api/ruc/{}", sample::COMPANY);
    let answer = app.request("GET", &path).header("X-API-KEY", &owner.token).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer = app.request("GET", &path).header("X-API-KEY", "other").send().await;
    assert_eq!((answer.status, &answer.json()["code"]), (401, &json!("401")), "{answer:?}");
    let path = format!("/compat/decolecta/v1/sunat/ruc?numero={}", sample::COMPANY);
    let answer = app.request("GET", &path).header("X-API-KEY", &owner.token).send().await;
    assert_eq!(answer.status, 401, "only where the provider has it: {answer:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_token_in_the_query_or_the_body_is_taken_if_the_operator_allows_it() {
    let (closed, stranger) = start().await;
    let open = scene().set("compat.providers", ALL).set("compat.tokens_in_query", "true").start().await;
    let owner = open.owner().await;
    let ask = |app: &App, token: &str| {
        let (ruc, migo) = (sample::COMPANY, "/compat/migo/api/v1/ruc");
        let body = json!({"token": token, "ruc": ruc});
        [
            app.post(migo).json(body.to_string()),
            form(app.post(&format!("{migo}/")), &fields(&body)),
            multipart(app.post(migo), &fields(&body)),
            app.post(&format!("{migo}?token={token}&ruc={ruc}")).json(""),
            app.request("GET", &format!("{migo}?ruc={ruc}&token={token}")),
            app.request("GET", &format!("/compat/apisperu/api/v1/ruc/{ruc}?token={token}")),
            app.request("GET", &format!("/compat/decolecta/v1/sunat/ruc?numero={ruc}&token={token}")),
            app.request("GET", &format!("/compat/peruapi/api/ruc/{ruc}?api_token={token}")),
            app.request("GET", &format!("/api/ruc/{ruc}?api_token={token}")),
            app.request("GET", &format!("/api/usage?api_token={token}")),
            app.post("/api/ruc").json(body.to_string()),
        ]
    };
    for request in ask(&open, &owner.token) {
        let answer = request.send().await;
        assert_eq!((answer.status, answer.must("deprecation")), (200, "@1795478400"), "{answer:?}");
    }
    for request in ask(&open, "kur_other") {
        assert_eq!(request.send().await.status, 401);
    }
    for request in ask(&closed, &stranger.token) {
        let answer = request.send().await;
        assert!(answer.status == 401 && answer.header("deprecation").is_none(), "{answer:?}");
    }
    // A program of peruapi sends it in both places; the header counts.
    let path = format!("/compat/peruapi/api/ruc/{}?api_token={}", sample::COMPANY, owner.token);
    let answer = open.request("GET", &path).header("X-API-KEY", &owner.token).send().await;
    assert!(answer.status == 200 && answer.header("deprecation").is_none(), "{answer:?}");
    // The contract's own paths refuse it in any case.
    let answer = open.post(&format!("/ruc?token={}", owner.token)).ruc(sample::COMPANY).send().await;
    answer.refused("unauthenticated");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn limits_hold_in_every_dialect() {
    let (app, owner) = scene().set("compat.providers", "migo").plan(1, 1_000, 1_000).start_with_owner().await;
    let ask = || app.post("/compat/migo/api/v1/ruc").token(&owner.token).ruc(sample::COMPANY).send();
    assert_eq!(ask().await.status, 200);
    let answer = ask().await;
    assert_eq!((answer.status, &answer.json()["success"]), (429, &json!(false)), "{answer:?}");
    assert!(!answer.must("ratelimit").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_list_is_answered_as_a_bare_list() {
    let (app, owner) = start().await;
    let ask = |rucs: Value| {
        app.post("/compat/migo/api/v1/ruc/collection").token(&owner.token).json(json!({"ruc": rucs}).to_string()).send()
    };
    let answer = ask(json!([sample::COMPANY, sample::ABSENT, sample::DESCRIBED])).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let names: Vec<_> = answer.json().as_array().unwrap().iter().map(|item| item["ruc"].clone()).collect();
    assert_eq!(names, [sample::COMPANY, sample::DESCRIBED], "what does not exist is left out");
    assert_eq!(app.used(&owner).await, 3);
    let answer = ask(json!([sample::COMPANY, sample::BAD_CHECK_DIGIT])).await;
    assert_eq!((answer.status, &answer.json()["success"]), (400, &json!(false)), "an invalid item is not left out");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_list_with_a_failed_item_says_when_to_retry() {
    let old = scene().published(sample::PADRON, Some(Date::new(2020, 1, 1).unwrap()));
    let (app, owner) = old.set("compat.providers", "migo").start_with_owner().await;
    let list = app.post("/compat/migo/api/v1/ruc/collection").token(&owner.token);
    let answer = list.json(json!({"ruc": [sample::COMPANY, sample::ABSENT]}).to_string()).send().await;
    assert_eq!((answer.status, answer.must("retry-after")), (503, "300"), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_fields_of_a_body_choose_the_form() {
    let (app, owner) = start().await;
    let body = json!({"json": "ruc", "id": sample::COMPANY});
    let post = |path: &str| app.post(&format!("/compat{path}")).token(&owner.token);
    let documents = || post("/peruapi/api.php");
    for request in
        [documents().json(body.to_string()), form(documents(), &fields(&body)), multipart(documents(), &fields(&body))]
    {
        let answer = request.send().await;
        assert_eq!((answer.status, &answer.json()["ruc"]), (200, &json!(sample::COMPANY)), "{answer:?}");
    }
    let answer = documents().json(json!({"json": "dni", "id": "1"}).to_string()).send().await;
    assert_eq!((answer.status, &answer.json()["code"]), (404, &json!("404")), "{answer:?}");
    // The body is still whole, and too large.
    for length in [20_000, 200_000] {
        let body = json!({"month": 9, "year": 2026, "x": "x".repeat(length)}).to_string();
        assert_eq!(post("/decolecta/v1/tipo-cambio/sunat").json(body).send().await.status, 413, "{length}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_words_of_status_and_condition_are_as_long_as_the_providers() {
    let (app, owner) = start().await;
    let padron = String::from_utf8_lossy(sample::PADRON);
    let line = padron.lines().find(|line| line.starts_with("20") && line.contains("|BAJA PROV. POR OFICI|")).unwrap();
    let answer = app.post("/compat/migo/api/v1/ruc").token(&owner.token).ruc(&line[..11]).send().await;
    assert_eq!(answer.json()["estado_del_contribuyente"], "BAJA PROV. POR OFICI");
    let path = format!("/compat/peruapi/api/ruc/{}", &line[..11]);
    let answer = app.request("GET", &path).token(&owner.token).send().await;
    assert_eq!(answer.json()["estado"], "BAJA PROV. POR OFICIO");
}

/// A provider that no preset describes.
const CONFLUX: &str = r#"
[request]
method = "GET"
url = "https://ruc.example.pe/ruc/{ruc}"
token = { in = "header", name = "Authorization" }

[answer]
not_found = [{ "/status" = "not found" }]

[fields]
ruc = "/_id"
name = "/nombre"
status = "/estado"
condition = "/condicion"

[sample.found]
status = 200
body = '{"_id": "20131312955", "nombre": "SUNAT", "estado": "ACTIVO", "condicion": "HABIDO", "trabajadores": 13000, "telefono": "6343300", "buen": true}'

[sample.not_found]
status = 200
body = '{"status": "not found"}'

[dialect]
error = { body = '{"error": {"codigo": 0, "texto": ""}}', values = { "/error/codigo" = "{status}", "/error/texto" = "{message}" } }

[[dialect.forms]]
paths = ["/ruc/{ruc}", "/consulta"]
values = { "/buen" = "{good_taxpayer}" }

[[dialect.forms]]
paths = ["/lista"]
parameter = "numeros"
list = '{"ok": true, "filas": {items}}'
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_provider_is_added_by_a_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("conflux.toml");
    fs::write(&file, CONFLUX).unwrap();
    let (app, owner) = scene().set("compat.providers", file.to_str().unwrap()).start_with_owner().await;
    // A raw token, and a body over the limit that the call does not read.
    let get =
        app.request("GET", &format!("/compat/conflux/ruc/{}", sample::COMPANY)).header("Authorization", &owner.token);
    let answer = get.json(format!("{{\"a\":\"{}\"}}", "x".repeat(5_000))).send().await;
    let record = r#"{"_id":"20100119227","nombre":"3M PERU S A","estado":"ACTIVO","condicion":"HABIDO","#;
    assert_eq!(answer.body, format!("{record}\"trabajadores\":null,\"telefono\":\"\",\"buen\":false}}"), "{answer:?}");
    let post = |body: Value| app.post("/compat/conflux/lista").token(&owner.token).json(body.to_string()).send();
    let list = post(json!({"numeros": [sample::COMPANY]})).await.body;
    assert!(list.starts_with(r#"{"ok": true, "filas": [{"_id":"20100119227""#) && list.ends_with("}]}"), "{list}");
    let answer = app.post("/compat/conflux/consulta").token(&owner.token).ruc(sample::ABSENT).send().await;
    assert_eq!((answer.status, answer.body.as_str()), (200, r#"{"status": "not found"}"#));
    let answer = post(json!({})).await;
    assert_eq!(answer.body, r#"{"error":{"codigo":400,"texto":"Falta el campo numeros."}}"#);
}
