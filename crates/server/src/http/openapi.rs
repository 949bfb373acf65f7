//! The API as an OpenAPI 3.1 document. Schemas come from the records that are sent, statuses and codes from the table
//! that answers; what is written here is what each operation is for.
//!
//! The document is committed as `docs/reference/openapi.json`; a test compares the two.

use std::collections::BTreeMap;

use kuraka_domain::ResultCode::{
    self, DocumentNotFound, Forbidden, Found, InternalError, InvalidInput, MethodNotAllowed, PayloadTooLarge,
    QuotaExceeded, RateLimited, ServiceUnavailable, Unauthenticated, UnsupportedMediaType, UpstreamUnavailable,
};
use serde_json::{Map, Value, json};
use utoipa::PartialSchema;

use super::detail::DetailRecord;
use super::summary::SummaryRecord;
use super::usage::UsageRecord;
use super::voucher::VoucherRecord;
use super::{code, examples};

/// One operation, as it is described.
pub(crate) struct Operation {
    pub(crate) id: &'static str,
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) description: &'static str,
    /// What is sent: the schema's name and an example, its fields in the contract's order.
    pub(crate) request: Option<(&'static str, &'static str)>,
    /// The schema of `data`.
    pub(crate) record: &'static str,
    /// A whole answer, its fields in the contract's order.
    pub(crate) example: &'static str,
    pub(crate) codes: &'static [ResultCode],
    /// Headers of answers that a source gave.
    pub(crate) source_headers: &'static [&'static str],
}

const BEFORE_THE_SOURCES: [ResultCode; 10] = [
    InvalidInput,
    Unauthenticated,
    Forbidden,
    MethodNotAllowed,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    QuotaExceeded,
    ServiceUnavailable,
    InternalError,
];

/// Every operation of the API.
pub(crate) fn operations() -> [Operation; 4] {
    [
        Operation {
            id: "ruc",
            method: "post",
            path: "ruc",
            summary: "Resumen de un contribuyente",
            description: "Responde desde la copia propia del padrón reducido. Cuesta una consulta.",
            request: Some(("RucRequest", examples::RUC)),
            record: "SummaryRecord",
            example: examples::SUMMARY_FOUND,
            codes: &[Found, DocumentNotFound, UpstreamUnavailable],
            source_headers: &["X-Source", "X-Source-Status", "X-Registry-Edition"],
        },
        Operation {
            id: "ruc-official",
            method: "post",
            path: "ruc-official",
            summary: "Detalle de un contribuyente",
            description: "Pregunta a la página de la SUNAT y, si esta no responde, a un proveedor. Cuesta una consulta.",
            request: Some(("RucRequest", examples::RUC)),
            record: "DetailRecord",
            example: examples::DETAIL_FOUND,
            codes: &[Found, DocumentNotFound, UpstreamUnavailable],
            source_headers: &["X-Source", "X-Source-Status"],
        },
        Operation {
            id: "cpe",
            method: "post",
            path: "cpe",
            summary: "Validación de un comprobante de pago",
            description: "Pregunta a la SUNAT en este momento; nada se guarda. \"NO EXISTE\" es una respuesta 200. Cuesta \
                          una consulta.",
            request: Some(("VoucherRequest", examples::VOUCHER)),
            record: "VoucherRecord",
            example: examples::VOUCHER_FOUND,
            codes: &[Found, UpstreamUnavailable],
            source_headers: &["X-Source", "X-Source-Status"],
        },
        Operation {
            id: "usage",
            method: "get",
            path: "usage",
            summary: "Lo usado del plan",
            description: "Consultas usadas y restantes del mes. No cuesta nada.",
            request: None,
            record: "UsageRecord",
            example: examples::USAGE_FOUND,
            codes: &[
                Found,
                InvalidInput,
                Unauthenticated,
                Forbidden,
                MethodNotAllowed,
                ServiceUnavailable,
                InternalError,
            ],
            source_headers: &[],
        },
    ]
}

impl Operation {
    /// Every code it may answer with.
    pub(crate) fn all_codes(&self) -> Vec<ResultCode> {
        let before: &[ResultCode] = if self.request.is_some() { &BEFORE_THE_SOURCES } else { &[] };
        ResultCode::ALL.into_iter().filter(|code| self.codes.contains(code) || before.contains(code)).collect()
    }
}

/// The document.
#[must_use]
pub fn document() -> Value {
    let mut paths = Map::new();
    for prefix in ["", "/api"] {
        for operation in operations() {
            let path = format!("{prefix}/{}", operation.path);
            let id = format!("{}{}", if prefix.is_empty() { "" } else { "api-" }, operation.id);
            paths.insert(path, json!({ operation.method: described(&operation, &id) }));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Kuraka",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Consultas de RUC y validación de comprobantes de pago del Perú.",
            "description": "Decida por `code` y `retryable`: \"no existe\", \"no es válido\" y \"no se pudo averiguar\" \
                            nunca se parecen. Cada respuesta lleva `X-Request-Id`.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "kur_ y 36 letras y dígitos"}},
            "schemas": schemas(),
            "headers": headers(),
        },
    })
}

fn described(operation: &Operation, id: &str) -> Value {
    let mut responses = BTreeMap::<String, Vec<ResultCode>>::new();
    for code in operation.all_codes() {
        responses.entry(code::status(code).as_str().to_owned()).or_default().push(code);
    }
    let responses: Map<String, Value> =
        responses.into_iter().map(|(status, codes)| (status, response(operation, &codes))).collect();
    let mut described = json!({
        "operationId": id,
        "summary": operation.summary,
        "description": operation.description,
        "responses": responses,
    });
    if let (Some((schema, example)), Some(described)) = (&operation.request, described.as_object_mut()) {
        let content = json!({"schema": reference("schemas", schema), "example": parsed(example)});
        described.insert("requestBody".into(), json!({"required": true, "content": {"application/json": content}}));
    }
    described
}

/// What one status may be: one code or several.
fn response(operation: &Operation, codes: &[ResultCode]) -> Value {
    let schema = |code: &ResultCode| if *code == Found { envelope(operation.record) } else { failure(*code) };
    let schemas: Vec<Value> = codes.iter().map(schema).collect();
    let schema = match schemas.as_slice() {
        [only] => only.clone(),
        several => json!({ "oneOf": several }),
    };
    let example = |code: &ResultCode| {
        if *code == Found {
            return parsed(operation.example);
        }
        let (word, retryable) = (code.as_str(), code.retryable());
        json!({"success": false, "code": word, "retryable": retryable, "message": code::message(*code)})
    };
    let examples: Map<String, Value> =
        codes.iter().map(|code| (code.as_str().to_owned(), json!({"value": example(code)}))).collect();
    let mut headers = vec!["X-Request-Id"];
    for code in codes {
        headers.extend(match code {
            Found | DocumentNotFound => operation.source_headers,
            Unauthenticated => &["WWW-Authenticate"],
            MethodNotAllowed => &["Allow"],
            RateLimited | QuotaExceeded | UpstreamUnavailable | ServiceUnavailable => &["Retry-After"][..],
            InvalidInput | Forbidden | PayloadTooLarge | UnsupportedMediaType | InternalError => &[],
            ResultCode::RouteNotFound => &[],
        });
        if !matches!(code, Unauthenticated | Forbidden | MethodNotAllowed | InternalError) {
            headers.extend(["RateLimit", "RateLimit-Policy"]);
        }
    }
    let headers: Map<String, Value> =
        headers.into_iter().map(|name| (name.to_owned(), reference("headers", name))).collect();
    let description: Vec<&str> = codes.iter().map(|code| code::message(*code)).collect();
    json!({
        "description": description.join(" "),
        "headers": headers,
        "content": {"application/json": {"schema": schema, "examples": examples}},
    })
}

/// An example as a value.
fn parsed(example: &str) -> Value {
    serde_json::from_str(example).unwrap_or_default()
}

fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}

fn envelope(record: &str) -> Value {
    json!({
        "type": "object",
        "required": ["success", "code", "retryable", "data", "time"],
        "properties": {
            "success": {"const": true},
            "code": {"const": Found.as_str()},
            "retryable": {"const": Found.retryable()},
            "data": reference("schemas", record),
            "time": {"type": "number", "minimum": 0, "description": "Tiempo de proceso, en segundos."},
        },
    })
}

fn failure(code: ResultCode) -> Value {
    json!({
        "type": "object",
        "required": ["success", "code", "retryable", "message"],
        "properties": {
            "success": {"const": false},
            "code": {"const": code.as_str()},
            "retryable": {"const": code.retryable()},
            "message": {"type": "string", "description": "Para personas; puede cambiar."},
        },
    })
}

fn schemas() -> Value {
    let of = |schema| serde_json::to_value(schema).unwrap_or_default();
    let text = |description: &str, pattern: &str, example: &str| json!({"type": "string", "description": description, "pattern": pattern, "examples": [example]});
    // The check digit is beyond a pattern; the format is a name for it.
    let ruc = |description: &str, example: &str| {
        let pattern = "^(10|15|16|17|20)[0-9]{9}$";
        json!({"type": "string", "description": description, "format": "ruc", "pattern": pattern, "examples": [example]})
    };
    let series = |kinds: &[&str], pattern: &str| {
        json!({"properties": {
            "codigo_tipo_documento": {"enum": kinds},
            "serie_documento": {"type": "string", "pattern": pattern},
        }})
    };
    json!({
        "SummaryRecord": of(SummaryRecord::schema()),
        "DetailRecord": of(DetailRecord::schema()),
        "VoucherRecord": of(VoucherRecord::schema()),
        "UsageRecord": of(UsageRecord::schema()),
        "RucRequest": {
            "type": "object",
            "required": ["ruc"],
            "properties": {"ruc": ruc("RUC de 11 dígitos, con su dígito verificador.", "20100119227")},
        },
        "VoucherRequest": {
            "type": "object",
            "anyOf": [
                series(&["01"], "^(F[A-Z0-9]{3}|E001|[0-9]{1,4})$"),
                series(&["03"], "^(B[A-Z0-9]{3}|EB01|[0-9]{1,4})$"),
                series(&["07", "08"], "^([FB][A-Z0-9]{3}|E001|EB01|[0-9]{1,4})$"),
                series(&["04", "R1", "R7"], "^[A-Z0-9]{1,4}$"),
            ],
            "required": [
                "ruc_emisor", "codigo_tipo_documento", "serie_documento", "numero_documento", "fecha_de_emision", "total",
            ],
            "properties": {
                "ruc_emisor": ruc("RUC del emisor.", "20999990062"),
                "codigo_tipo_documento": {
                    "type": "string", "enum": ["01", "03", "04", "07", "08", "R1", "R7"],
                    "description": "01 factura, 03 boleta, 07 nota de crédito, 08 nota de débito; también 04, R1 y R7.",
                },
                "serie_documento": text("Serie, según el tipo de comprobante.", "^[A-Z0-9]{1,4}$", "F001"),
                "numero_documento": text("Número, de 1 a 8 dígitos.", "^[0-9]{1,8}$", "1"),
                "fecha_de_emision": {"type": "string", "format": "date", "examples": ["2026-01-15"],
                    "description": "AAAA-MM-DD; no posterior a hoy en el Perú."},
                "total": {"oneOf": [
                    {"type": "number", "minimum": 0, "maximum": 999_999_999_999.99},
                    {"type": "string", "pattern": "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,2})?$"},
                ], "description": "Importe total, con 2 decimales como máximo.", "examples": [118.00]},
            },
        },
    })
}

fn headers() -> Value {
    let header = |description: &str, example: &str| json!({"description": description, "schema": {"type": "string", "examples": [example]}});
    json!({
        "X-Request-Id": header("Identifica la consulta; se acepta el enviado.", "0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"),
        "X-Source": header("Quién respondió: registry, official o provider.", "registry"),
        "X-Source-Status": header("live, cached o sandbox.", "live"),
        "X-Registry-Edition": header("Fecha del padrón que respondió.", "2026-11-20-1f0c9a3e"),
        "RateLimit": header("Lo que queda, por ráfaga y por mes.", "\"burst\";r=9;t=1, \"monthly\";r=999;t=86400"),
        "RateLimit-Policy": header("Los límites del plan.", "\"burst\";q=10;w=2, \"monthly\";q=1000;w=2592000"),
        "Retry-After": header("Segundos que esperar antes de repetir.", "15"),
        "WWW-Authenticate": header("RFC 6750.", "Bearer realm=\"kuraka\""),
        "Allow": header("El método de la ruta.", "POST"),
    })
}
