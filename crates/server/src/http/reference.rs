//! What the API says of itself: the OpenAPI document for programs, a text for machines that read texts, and what the
//! page of documentation shows to people.

use std::fmt::Write as _;
use std::sync::LazyLock;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use kuraka_api::{CodeDescription, Operation, cpe, ruc, ruc_official, usage};
use kuraka_domain::ResultCode;

use super::{code, openapi};

static DOCUMENT: LazyLock<String> = LazyLock::new(|| openapi::document().to_string());
static FOR_MACHINES: LazyLock<String> = LazyLock::new(text);

pub(crate) async fn document() -> HttpResponse {
    answer("application/json", &DOCUMENT)
}

pub(crate) async fn for_machines() -> HttpResponse {
    answer("text/plain; charset=utf-8", &FOR_MACHINES)
}

fn answer(kind: &'static str, body: &'static str) -> HttpResponse {
    let header = |name: HeaderName, value: &'static str| (name, HeaderValue::from_static(value));
    HttpResponse::Ok()
        .insert_header(header(CONTENT_TYPE, kind))
        .insert_header(header(CACHE_CONTROL, "public, max-age=300"))
        .insert_header(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(body)
}

/// The operations of the API, for the panel.
pub(crate) fn operations() -> Vec<&'static Operation> {
    vec![&ruc::OPERATION, &ruc_official::OPERATION, &cpe::OPERATION, &usage::OPERATION]
}

/// The codes of the API, for the panel.
pub(crate) fn codes() -> Vec<CodeDescription> {
    let describe = |code| CodeDescription { code, status: code::status(code).as_u16(), message: code::message(code) };
    ResultCode::ALL.map(describe).to_vec()
}

/// The API in a page of text: what each operation is for, what to send, what comes back, and what each code means.
fn text() -> String {
    let mut text = String::from(
        "# Kuraka\n\n\
         API de consulta de contribuyentes (RUC) y de validación de comprobantes de pago del Perú. JSON sobre HTTP.\n\
         El documento OpenAPI 3.1 está en /openapi.json.\n\n\
         - Cada consulta lleva el encabezado `Authorization: Bearer <token>` y, si tiene cuerpo, \
         `Content-Type: application/json`.\n\
         - El RUC es un texto de 11 dígitos con dígito verificador; valídelo antes de preguntar: un error también cuesta.\n\
         - Decida por `code` y `retryable`, nunca por `message`. \"No existe\" (`document_not_found`) y \"no se pudo \
         averiguar\" (`upstream_unavailable`) son cosas distintas.\n\
         - Repita solo si `retryable` es true, tras los segundos de `Retry-After`.\n\
         - Las mismas rutas responden bajo /api.\n",
    );
    for operation in openapi::operations() {
        let method = operation.method.to_uppercase();
        let _ = write!(text, "\n## {method} /{}\n\n{}. {}\n", operation.path, operation.summary, operation.description);
        if let Some((_, request)) = &operation.request {
            let _ = write!(text, "\nSe envía:\n\n{request}\n");
        }
        let codes: Vec<&str> = operation.all_codes().into_iter().map(ResultCode::as_str).collect();
        let _ = write!(text, "\nRespuesta 200:\n\n{}\n\nCódigos: {}\n", operation.example, codes.join(", "));
    }
    text.push_str("\n## Códigos\n\n");
    for code in ResultCode::ALL {
        let (status, retryable) = (code::status(code).as_u16(), code.retryable());
        let _ = writeln!(text, "- {} ({status}, retryable {retryable}): {}", code.as_str(), code::message(code));
    }
    text
}
