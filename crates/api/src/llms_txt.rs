//! Writes `/llms.txt`: the API on one page, for language models.

use std::fmt::Write as _;

use kuraka_domain::ResultCode;

use crate::openapi::fields::{self, Field};
use crate::{CodeDescription, Operation, openapi};

const INTRODUCTION: &str = include_str!("../bodies/llms_introduction.txt");

/// The purpose, request and response of each operation, and the meaning of each code.
#[must_use]
pub fn text(operations: &[&Operation], codes: &[CodeDescription]) -> String {
    let mut text = String::from(INTRODUCTION);
    let document = openapi::document(operations, codes);
    for operation in operations {
        let Operation { path, title, description, .. } = operation;
        let _ = write!(text, "\n## {} /{path}\n\n{title}. {description}\n", operation.method.as_str());
        if let Some(request) = &operation.request {
            let _ = write!(text, "\nSe envía:\n\n{}\n\n", request.example);
            for Field { path, kind, meaning, values, .. } in fields::sent(&document, operation) {
                let values =
                    if values.is_empty() { String::new() } else { format!(" Valores: {}.", values.join(", ")) };
                let _ = writeln!(text, "- {path}: {kind}. {meaning}{values}");
            }
        }
        if let Some(lines) = operation.batch.and_then(|batch| batch.lines) {
            let _ = write!(text, "\nO, con Content-Type: text/plain:\n\n{lines}\n");
        }
        let others: Vec<String> = operation.other_requests().collect();
        if !others.is_empty() {
            let _ = write!(text, "\nResponden lo mismo: {}\n", others.join(", "));
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
