//! Programs written for the original interface, each with the request that it sends and the parts of the answer that it
//! reads: after a change of its base address it gets what it needs. Names are those of public repositories, or of a
//! program that a public file belongs to.

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{ISSUER, VOUCHERS};
use serde_json::{Value, json};

use crate::app::{App, Owner};
use crate::legacy_requests::{fields, form, multipart};
use crate::request::Request;
use crate::sandbox::claim;
use crate::shared::shared;

/// What a program reads.
enum Read {
    /// `success` is true.
    Success,
    /// A text, which may be empty.
    Text(&'static str),
    /// This text.
    Is(&'static str, &'static str),
    /// A number.
    Number(&'static str),
    /// A value that equals what was sent in this field of the first voucher.
    Sent(&'static str, &'static str),
    /// `null`.
    Null(&'static str),
    /// A list.
    List(&'static str),
}
use How::{Form, Get, Json, Multipart, Query};
use Read::{Is, List, Null, Number, Sent, Success, Text};

/// How a program sends its request.
#[derive(Clone, Copy)]
enum How {
    Get,
    Json,
    Form,
    Multipart,
    /// The fields in the query string, without a body or with an empty one.
    Query(Option<&'static str>),
}

/// A program's name, how and where it sends which body, and what it reads.
type Program = (&'static str, How, &'static str, fn() -> Value, &'static [Read]);

const CUSTOMER: &[Read] = &[
    Success,
    Is("/data/ubigeo/0", "15"),
    Is("/data/ubigeo/1", "1501"),
    Is("/data/ubigeo/2", "150131"),
    Is("/data/ubigeo_sunat", "150131"),
    Text("/data/direccion"),
    Is("/data/nombre_o_razon_social", "3M PERU S A"),
    Text("/data/condicion"),
    Text("/data/estado"),
    Is("/data/departamento", "LIMA"),
    Is("/data/provincia", "LIMA"),
    Is("/data/distrito", "SAN ISIDRO"),
    Is("/data/direccion_completa", "AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641 URB. EL PALOMAR, LIMA - LIMA - SAN ISIDRO"),
    Text("/data/es_agente_de_retencion"),
    Is("/data/es_agente_de_percepcion", "NO"),
    Is("/data/es_agente_de_percepcion_combustible", "NO"),
    Text("/data/es_buen_contribuyente"),
];
const PERSON: &[Read] = &[
    Success,
    Null("/data/ubigeo/0"),
    Null("/data/ubigeo/1"),
    Null("/data/ubigeo/2"),
    Is("/data/direccion", ""),
    Is("/data/direccion_completa", ""),
    Is("/data/provincia", ""),
    Is("/data/distrito", ""),
    Is("/data/ubigeo_sunat", ""),
    Text("/data/nombre_o_razon_social"),
];
const VOUCHER: &[Read] = &[
    Success,
    Is("/data/comprobante_estado_codigo", "1"),
    Is("/data/comprobante_estado_descripcion", "ACEPTADO"),
    Is("/data/empresa_estado_codigo", "00"),
    Is("/data/empresa_condicion_codigo", "00"),
    Is("/data/empresa_estado_description", "ACTIVO"),
    Is("/data/empresa_estado_descripcion", "ACTIVO"),
    Is("/data/empresa_condicion_descripcion", "HABIDO"),
    List("/data/observaciones"),
    Sent("/data/ruc_emisor", "ruc_emisor"),
    Sent("/data/codigo_tipo_documento", "codigo_tipo_documento"),
    Sent("/data/serie_documento", "serie_documento"),
    Sent("/data/fecha_de_emision", "fecha_de_emision"),
    Sent("/data/total", "total"),
];
const ROWS: &[Read] = &[
    Success,
    Number("/data/cantidad_de_comprobantes"),
    Is("/data/comprobantes/0/comprobante_estado_codigo", "1"),
    Is("/data/comprobantes/0/comprobante_estado_descripcion", "ACEPTADO"),
    Is("/data/comprobantes/0/empresa_estado_description", "ACTIVO"),
    Sent("/data/comprobantes/0/ruc_emisor", "ruc_emisor"),
    Sent("/data/comprobantes/0/codigo_tipo_documento", "codigo_tipo_documento"),
    Sent("/data/comprobantes/0/serie_documento", "serie_documento"),
    Sent("/data/comprobantes/0/numero_documento", "numero_documento"),
    Sent("/data/comprobantes/0/fecha_de_emision", "fecha_de_emision"),
    Sent("/data/comprobantes/0/total", "total"),
    Text("/data/comprobantes/1/comprobante_estado_codigo"),
];
const ANNEXES: &[Read] = &[
    Success,
    List("/data"),
    Text("/data/0/codigo"),
    Text("/data/0/tipo_de_establecimiento"),
    Text("/data/0/actividad_economica"),
    Text("/data/0/direccion"),
    Text("/data/0/direccion_completa"),
    Is("/data/0/departamento", "LIMA"),
    Text("/data/0/provincia"),
    Text("/data/0/distrito"),
    Text("/data/0/ubigeo_sunat"),
    Text("/data/0/ubigeo/2"),
];
const ADDRESS: &[Read] = &[
    Success,
    Text("/data/direccion_completa"),
    Text("/data/direccion"),
    Is("/data/departamento", "LIMA"),
    Is("/data/provincia", "LIMA"),
    Is("/data/distrito", "SAN ISIDRO"),
    Is("/data/ubigeo_sunat", "150131"),
    Is("/data/ubigeo/2", "150131"),
];

fn nothing() -> Value {
    json!({})
}

fn company() -> Value {
    json!({"ruc": sample::COMPANY})
}

fn described() -> Value {
    json!({"ruc": sample::DESCRIBED})
}

/// A voucher whose total is a text, as of a database's decimal.
fn voucher() -> Value {
    let mut voucher = claim(&VOUCHERS[0]);
    voucher["total"] = VOUCHERS[0].total.into();
    voucher
}

/// The same whose number and total are JSON numbers, and whose date has a time.
fn typed_voucher() -> Value {
    let mut voucher = claim(&VOUCHERS[0]);
    voucher["numero_documento"] = VOUCHERS[0].number.into();
    voucher["fecha_de_emision"] = format!("{}T00:00:00.000000Z", VOUCHERS[0].issued).into();
    voucher
}

/// The secrets that lists carry are empty or real, and are not read.
fn list(items: Value) -> Value {
    json!({"ruc_empresa": ISSUER, "sol_usuario": "MODDATOS", "clave_usuario": "moddatos", "comprobantes": items})
}

fn objects() -> Value {
    let mut unknown = voucher();
    unknown["numero_documento"] = "001129".into();
    list(json!([voucher(), unknown]))
}

fn typed_objects() -> Value {
    list(json!([typed_voucher(), typed_voucher()]))
}

fn lines() -> Value {
    let line = |number: u32| format!("{ISSUER}|01|F001|{number}|{}|{}", VOUCHERS[0].issued, VOUCHERS[0].total);
    list(json!([line(VOUCHERS[0].number), line(99_999)]))
}

const LINES: &[Read] = &[
    Success,
    Number("/data/cantidad_de_comprobantes"),
    Is("/data/comprobantes/0", "20999990062|01|F001|1|2026-01-15|118.00|1"),
    Is("/data/comprobantes/1", "20999990062|01|F001|99999|2026-01-15|118.00|0"),
];
const SHEET: &[Read] = &[
    Success,
    Text("/data/nombre_o_razon_social"),
    Text("/data/estado"),
    Text("/data/condicion"),
    Text("/data/direccion_completa"),
    Text("/data/direccion"),
    Text("/data/tipo_contribuyente"),
    Text("/data/fecha_inscripcion"),
    List("/data/actividades_economicas"),
    Is("/data/departamento", "PUNO"),
    Is("/data/provincia", "PUNO"),
    Is("/data/distrito", "PUNO"),
    Is("/data/ubigeo_sunat", "210101"),
    Is("/data/ubigeo/1", "2101"),
];

const PROGRAMS: [Program; 22] = [
    // The most copied program: about twenty public repositories.
    ("facturadorpro5, customer", Get, "/api/ruc/20100119227", nothing, CUSTOMER),
    ("facturadorpro5, person", Get, "/api/ruc/10999990075", nothing, PERSON),
    ("facturadorpro5, voucher", Form, "/api/cpe", voucher, VOUCHER),
    ("facturadorpro5, list", Form, "/api/validacion_multiple_cpe", objects, ROWS),
    ("facturadorpro5, list of lines", Form, "/api/validacion_multiple_cpe", lines, LINES),
    ("facturador-tukifac, annexes", Form, "/api/ruc-establecimientos-anexos", described, ANNEXES),
    ("consulta_sunat for Odoo, a proxy in Node, a service of Laravel", Json, "/api/ruc", company, CUSTOMER),
    ("point of sale, fiscal address", Json, "/api/ruc-domicilio-fiscal", company, ADDRESS),
    ("point of sale, annexes", Json, "/api/ruc-establecimientos-anexos", described, ANNEXES),
    ("a client that shortens the name", Json, "/ruc-establecimientos", described, ANNEXES),
    ("esolutions, list of version 2", Json, "/api/validacion-multiple-cpe-v2", lines, ROWS),
    ("esolutions, districts", Query(Some("application/json")), "/ubigeos", nothing, &[Success, List("/data")]),
    ("aqpfact, plain PHP", Json, "/api/validacion_multiple_cpe", typed_objects, ROWS),
    ("ConsumirApis in C#", Json, "/api/cpe", || claim(&VOUCHERS[0]), VOUCHER),
    ("a voucher with the types of a model", Json, "/api/cpe", typed_voucher, VOUCHER),
    ("a job of Odoo", Json, "/ruc-sunat", described, SHEET),
    ("a page in JSP", Query(None), "/api/ruc", company, CUSTOMER),
    ("a form with parts", Multipart, "/api/ruc", company, CUSTOMER),
    ("a list in parts", Multipart, "/validacion-multiple-cpe", objects, ROWS),
    ("a form of jQuery", Form, "/api/ruc/", company, CUSTOMER),
    ("a number for the RUC", Json, "//api/ruc", || json!({"ruc": 20_100_119_227_u64}), CUSTOMER),
    ("a path under another name", Get, "/api/ruc_domicilio_fiscal/20100119227", nothing, ADDRESS),
];

fn request(app: &App, owner: &Owner, how: How, path: &str, body: &Value) -> Request {
    let post = || app.post(path).token(&owner.token);
    match how {
        Get => app.request("GET", path).token(&owner.token),
        Json => post().json(body.to_string()),
        Form => form(post(), &fields(body)),
        Multipart => multipart(post(), &fields(body)),
        Query(media_type) => {
            let query: Vec<_> = fields(body).into_iter().map(|(name, value)| format!("{name}={value}")).collect();
            let request = app.post(&format!("{path}?{}", query.join("&"))).token(&owner.token);
            media_type.map_or(request.clone(), |media_type| request.header("Content-Type", media_type))
        }
    }
}

/// What the program finds instead of what it reads; `None` = it gets what it needs.
fn fault(read: &Read, answer: &Value, sent: &Value, is_json: bool) -> Option<String> {
    let at = |pointer: &str| answer.pointer(pointer).cloned().unwrap_or(Value::String(format!("no {pointer}")));
    let (pointer, is_right) = match read {
        Success => ("/success", at("/success") == Value::Bool(true)),
        Text(pointer) => (*pointer, at(pointer).is_string() && !at(pointer).as_str().unwrap().starts_with("no /")),
        Is(pointer, text) => (*pointer, at(pointer) == *text),
        Number(pointer) => (*pointer, at(pointer).is_number()),
        Null(pointer) => (*pointer, at(pointer).is_null()),
        List(pointer) => (*pointer, at(pointer).as_array().is_some()),
        Sent(pointer, field) => {
            let first = sent.pointer("/comprobantes/0").unwrap_or(sent);
            let sent = match first {
                Value::String(line) => {
                    let at = kuraka_api::cpe_multiple::FIELDS.iter().position(|name| name == field).unwrap();
                    line.split('|').nth(at).unwrap().into()
                }
                object @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                    object[*field].clone()
                }
            };
            let sent = if is_json { sent } else { sent.as_str().map_or(sent.to_string(), str::to_owned).into() };
            (*pointer, at(pointer) == sent)
        }
    };
    (!is_right).then(|| format!("{pointer} is {}", at(pointer)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn programs_of_the_original_interface_get_what_they_read() {
    let (app, owner) = shared().await;
    let mut faults = Vec::new();
    for (name, how, path, body, reads) in PROGRAMS {
        let sent = body();
        let answer = request(app, &owner, how, path, &sent).send().await;
        let (json, is_json) = (answer.json(), matches!(how, Json));
        let found = reads.iter().filter_map(|read| fault(read, &json, &sent, is_json));
        faults.extend(found.map(|fault| format!("{name}: {fault}, answer {}", answer.body)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
