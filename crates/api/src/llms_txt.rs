//! Writes `/llms.txt`: the API on one page of text, for language models.

use std::fmt::Write as _;

use kuraka_domain::ResultCode;

use crate::{CodeDescription, Operation};

const INTRODUCTION: &str = "# Kuraka\n\n\
    API de consulta de contribuyentes (RUC) y de validación de comprobantes de pago del Perú. JSON sobre HTTP.\n\
    El documento OpenAPI 3.1 está en /openapi.json.\n\n\
    - Cada consulta lleva el encabezado `Authorization: Bearer <token>` y, si tiene cuerpo, \
    `Content-Type: application/json`.\n\
    - El RUC es un texto de 11 dígitos con dígito verificador; valídelo antes de preguntar: un error también cuesta.\n\
    - Decida por `code` y `retryable`, nunca por `message`. \"No existe\" (`document_not_found`) y \"no se pudo \
    averiguar\" (`upstream_unavailable`) son cosas distintas.\n\
    - Repita solo si `retryable` es true, tras los segundos de `Retry-After`.\n\
    - Las mismas rutas responden bajo /api.\n";

/// The text: the purpose, request and response of each operation, and the meaning of each code.
#[must_use]
pub fn text(operations: &[&Operation], codes: &[CodeDescription]) -> String {
    let mut text = String::from(INTRODUCTION);
    for operation in operations {
        let Operation { name, title, description, .. } = operation;
        let _ = write!(text, "\n## {} /{name}\n\n{title}. {description}\n", operation.method.as_str());
        if let Some(request) = &operation.request {
            let _ = write!(text, "\nSe envía:\n\n{}\n", request.example);
        }
        let codes: Vec<&str> = operation.all_codes().map(ResultCode::as_str).collect();
        let _ = write!(text, "\nRespuesta 200:\n\n{}\n\nCódigos: {}\n", operation.response.example, codes.join(", "));
    }
    text.push_str("\n## Códigos\n\n");
    for CodeDescription { code, status, message } in codes {
        let _ = writeln!(text, "- {code} ({status}, retryable {}): {message}", code.retryable());
    }
    text
}
