//! The responses of one operation by HTTP status: schemas, examples and headers of the codes with each status.

use std::collections::BTreeMap;

use kuraka_domain::{Date, Envelope, ErrorDates, ResultCode};
use serde_json::{Map, Value, json};

use super::schemas::{ERROR, reference};
use crate::schema::parsed;
use crate::{CodeDescription, Operation};

const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The responses of `operation` with these codes, keyed by status; `found` names the schema of an answer. A failure is a reference into `shared`, to which it
/// is added: nearly all operations fail in the same ways.
pub(super) fn by_status(
    operation: &Operation,
    found: &str,
    answered: impl Iterator<Item = ResultCode>,
    codes: &[CodeDescription],
    shared: &mut Map<String, Value>,
) -> Map<String, Value> {
    let mut responses = BTreeMap::<String, Vec<CodeDescription>>::new();
    for code in answered {
        if let Some(described) = codes.iter().find(|described| described.code == code) {
            responses.entry(described.status.to_string()).or_default().push(*described);
        }
    }
    let mut share = |codes: &[CodeDescription]| {
        let response = response(operation, found, codes);
        if codes.iter().any(|described| described.code == ResultCode::Found) {
            return response;
        }
        let mut name = codes.iter().map(|described| described.code.as_str()).collect::<Vec<_>>().join(".");
        // An operation with other headers.
        if shared.get(&name).is_some_and(|known| *known != response) {
            name = format!("{name}.{}", operation.name);
        }
        let reference = reference("responses", &name);
        shared.insert(name, response);
        reference
    };
    let mut responses: Map<String, Value> =
        responses.into_iter().map(|(status, codes)| (status, share(&codes))).collect();
    if operation.source_headers.contains(&"ETag") {
        let headers = ["X-Request-Id"].iter().chain(operation.source_headers);
        let headers: Map<String, Value> =
            headers.map(|name| ((*name).to_owned(), reference("headers", name))).collect();
        responses.insert("304".to_owned(), json!({"description": "Nada cambió.", "headers": headers}));
    }
    responses
}

fn response(operation: &Operation, found: &str, codes: &[CodeDescription]) -> Value {
    let is_found = codes.iter().any(|described| described.code == ResultCode::Found);
    let schema = if is_found { found } else { ERROR };
    let examples: Map<String, Value> = codes
        .iter()
        .map(|described| (described.code.to_string(), json!({"value": example(operation, described)})))
        .collect();
    let headers: Map<String, Value> = std::iter::once("X-Request-Id")
        .chain((!is_found).then_some("X-Error-Code"))
        .chain(codes.iter().flat_map(|described| headers(operation, described.code)))
        .map(|name| (name.to_owned(), reference("headers", name)))
        .collect();
    let description: Vec<&str> = codes.iter().map(|described| described.message).collect();
    let json = json!({"schema": reference("schemas", schema), "examples": examples});
    let mut content = Map::from_iter([("application/json".to_owned(), json)]);
    if is_found && (operation.has_table || operation.batch.is_some()) {
        content.insert("text/csv".to_owned(), json!({"schema": {"type": "string"}}));
        content.insert(WORKBOOK.to_owned(), json!({"schema": {"type": "string", "format": "binary"}}));
    }
    json!({"description": description.join(" "), "headers": headers, "content": content})
}

/// The dates of an example.
fn dates(code: ResultCode) -> Option<ErrorDates> {
    let (first, last) = (Date::new(2026, 11, 22).ok()?, Date::new(2027, 3, 2).ok()?);
    if code == ResultCode::DateNotCovered {
        return Some(ErrorDates::Covered(vec![(first, last)]));
    }
    (code == ResultCode::CursorExpired).then_some(ErrorDates::Since(first))
}

/// The headers of a response with this code, except those that every response has.
fn headers(operation: &Operation, code: ResultCode) -> impl Iterator<Item = &'static str> {
    let (own, limits): (&'static [&'static str], bool) = match code {
        ResultCode::Found | ResultCode::DocumentNotFound => (operation.source_headers, true),
        ResultCode::Unauthenticated => (&["WWW-Authenticate"], false),
        ResultCode::MethodNotAllowed => (&["Allow"], false),
        ResultCode::RateLimited | ResultCode::UpstreamUnavailable | ResultCode::ServiceUnavailable => {
            (&["Retry-After"], true)
        }
        ResultCode::QuotaExceeded
        | ResultCode::WatchLimitExceeded
        | ResultCode::InvalidInput
        | ResultCode::DateNotCovered
        | ResultCode::CursorExpired
        | ResultCode::PayloadTooLarge
        | ResultCode::UnsupportedMediaType
        | ResultCode::RouteNotFound => (&[], true),
        ResultCode::Forbidden | ResultCode::InternalError => (&[], false),
    };
    let limits: &'static [&'static str] = if limits { &["RateLimit", "RateLimit-Policy"] } else { &[] };
    own.iter().chain(limits).copied()
}

fn example(operation: &Operation, described: &CodeDescription) -> Value {
    let CodeDescription { code, message, .. } = *described;
    if code == ResultCode::Found {
        return parsed(operation.response.example);
    }
    serde_json::to_value(Envelope::<()>::Failed { code, message: message.into(), dates: dates(code) })
        .unwrap_or_default()
}
