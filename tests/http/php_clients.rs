//! The calls that PHP programs make with a client of the original interface, after a change of the base address. The
//! package for PHP sends JSON, programs around it send forms or the RUC in the path, and the names have hyphens or
//! underscores.

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::VOUCHERS;
use serde_json::Value;

use crate::app::{App, Owner, scene};
use crate::request::Request;
use crate::ruc::SUMMARY;
use crate::sandbox::{claim, sandbox};

const DETAIL: &[&str] = &[
    "ruc",
    "nombre_o_razon_social",
    "estado",
    "condicion",
    "direccion_completa",
    "tipo_contribuyente",
    "fecha_inscripcion",
    "actividades_economicas",
];
const ADDRESS: &[&str] = &["ruc", "direccion", "direccion_completa", "departamento", "provincia", "distrito", "ubigeo"];
const ANNEX: &[&str] = &[
    "codigo",
    "tipo_de_establecimiento",
    "actividad_economica",
    "direccion",
    "direccion_completa",
    "departamento",
    "provincia",
    "distrito",
    "ubigeo",
];
const CAPACITY: &[&str] = &["ruc", "sin_capacidad_operativa"];
const VOUCHER: &[&str] = &[
    "ruc_emisor",
    "serie_documento",
    "numero_documento",
    "comprobante_estado_codigo",
    "comprobante_estado_descripcion",
    "empresa_estado_descripcion",
    "empresa_condicion_descripcion",
    "observaciones",
];

/// The calls about one RUC, each with the fields of its answer, or of its answer's entries.
const CALLS: [(&str, &[&str]); 9] = [
    ("/ruc", &SUMMARY),
    ("/ruc-sunat", DETAIL),
    ("/ruc_sunat", DETAIL),
    ("/ruc-domicilio-fiscal", ADDRESS),
    ("/ruc_domicilio_fiscal", ADDRESS),
    ("/ruc-establecimientos-anexos", ANNEX),
    ("/ruc_establecimientos_anexos", ANNEX),
    ("/ruc-ssco", CAPACITY),
    ("/ruc_ssco", CAPACITY),
];

const VOUCHERS_AT_ONCE: [&str; 4] = [
    "/validacion-multiple-cpe",
    "/validacion_multiple_cpe",
    "/validacion-multiple-cpe-v2",
    "/validacion_multiple_cpe_v2",
];

/// The line of a voucher, as the package joins it.
fn line(voucher: &Value) -> String {
    let fields = ["ruc_emisor", "codigo_tipo_documento", "serie_documento", "numero_documento", "fecha_de_emision"];
    let texts = fields.iter().map(|field| voucher[field].as_str().unwrap());
    texts.chain([VOUCHERS[0].total]).collect::<Vec<_>>().join("|")
}

/// Asserts that the call is answered with one voucher that SUNAT knows: an object, or a line.
async fn answers_a_voucher(request: Request) {
    let data = request.send().await.found();
    assert_eq!(data["cantidad_de_comprobantes"], 1, "{data}");
    let row = &data["comprobantes"][0];
    if let Some(line) = row.as_str() {
        assert!(line.split('|').count() == 7 && line.ends_with("|1"), "{data}");
        return;
    }
    for field in kuraka_api::cpe_multiple::FIELDS.iter().chain(VOUCHER) {
        assert!(!row[*field].is_null(), "{field}: {data}");
    }
    assert_eq!(row["comprobante_estado_codigo"], "1", "{data}");
}

async fn start() -> (App, Owner, kuraka_sandbox::upstream::Upstream) {
    let upstream = sandbox().await;
    let (app, owner) = scene().with_datasets().official(&upstream).vouchers(&upstream).start_with_owner().await;
    (app, owner, upstream)
}

/// What every one of these programs sends.
fn sent_by_php(request: Request, token: &str) -> Request {
    request.header("User-Agent", "GuzzleHttp/7").token(token).header("Accept", "application/json")
}

/// As the package sends JSON. Its own headers are empty in a program without a version.
fn json(app: &App, owner: &Owner, path: &str, body: &Value) -> Request {
    let request = sent_by_php(app.post(path), &owner.token);
    request.header("x-app-version", "").header("x-app-build", "7").json(body.to_string())
}

/// As `form_params` and `http_build_query` encode fields.
fn form(app: &App, owner: &Owner, path: &str, body: &str) -> Request {
    let request = sent_by_php(app.post(path), &owner.token);
    request.header("Content-Type", "application/x-www-form-urlencoded").body(body)
}

/// Asserts that the call is answered with these fields.
async fn answers(request: Request, fields: &[&str]) {
    let data = request.clone().send().await.found();
    let record = data.get(0).unwrap_or(&data);
    for field in fields {
        assert!(record.get(field).is_some(), "{field}: {data}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn json_is_answered_at_every_name_of_the_original_interface() {
    let (app, owner, _upstream) = start().await;
    let ruc = serde_json::json!({"ruc": sample::DESCRIBED});
    for prefix in ["", "/api"] {
        for (path, fields) in CALLS {
            answers(json(&app, &owner, &format!("{prefix}{path}"), &ruc), fields).await;
        }
        // PHP writes the amount as a number or as the text of a database's decimal.
        let mut voucher = claim(&VOUCHERS[0]);
        for total in [voucher["total"].clone(), VOUCHERS[0].total.into()] {
            voucher["total"] = total;
            answers(json(&app, &owner, &format!("{prefix}/cpe"), &voucher), VOUCHER).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn forms_are_answered_at_every_name_except_those_of_the_contract() {
    let (app, owner, _upstream) = start().await;
    let ruc = format!("ruc={}", sample::DESCRIBED);
    for (path, fields) in CALLS {
        answers(form(&app, &owner, &format!("/api{path}"), &ruc), fields).await;
    }
    for (path, fields) in &CALLS[1..] {
        answers(form(&app, &owner, path, &ruc), fields).await;
    }
    for path in ["/ruc", "/cpe"] {
        form(&app, &owner, path, &ruc).send().await.refused("unsupported_media_type");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn lists_of_vouchers_are_answered_as_json_and_as_forms() {
    let (app, owner, _upstream) = start().await;
    let voucher = claim(&VOUCHERS[0]);
    let line = line(&voucher);
    let lines = serde_json::json!({"ruc_emisor": voucher["ruc_emisor"], "comprobantes": [line]});
    let objects = serde_json::json!({
        "ruc_empresa": "", "sol_usuario": "MODDATOS", "clave_usuario": "moddatos", "comprobantes": [voucher],
    });
    let encoded = line.replace('|', "%7C");
    for path in VOUCHERS_AT_ONCE {
        for body in [&lines, &objects] {
            answers_a_voucher(json(&app, &owner, path, body)).await;
        }
        for key in ["comprobantes%5B0%5D", "comprobantes%5B%5D", "comprobantes[]"] {
            let body = format!("ruc_empresa=&sol_usuario=MODDATOS&clave_usuario=moddatos&{key}={encoded}");
            answers_a_voucher(form(&app, &owner, &format!("/api{path}"), &body)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_ruc_in_the_path_is_answered_at_every_name() {
    let (app, owner, _upstream) = start().await;
    for (path, fields) in CALLS {
        let get = app.request("GET", &format!("/api{path}/{}", sample::DESCRIBED));
        // Programs send this header without a body.
        answers(sent_by_php(get, &owner.token).header("Content-Type", "application/json"), fields).await;
    }
}
