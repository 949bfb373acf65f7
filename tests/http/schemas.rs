//! Compares every JSON answer that the tests get from an operation with the committed OpenAPI document: the status is
//! documented, and the body is valid, so it fits exactly one branch of each `oneOf`. It is also valid if no object may have
//! other fields than its own, so that no field is undocumented, but for the legacy base.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex};

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::json_schema::JsonSchema;

/// The committed OpenAPI document.
pub(crate) static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../docs/reference/openapi.json")).unwrap());

static SCHEMAS: LazyLock<Schemas> = LazyLock::new(Schemas::default);

#[derive(Default)]
struct Schemas {
    /// The validators of each schema's reference: as the schema is, and without other fields.
    compiled: Mutex<HashMap<String, Arc<[JsonSchema; 2]>>>,
    /// Digests of answers that are valid, because most answers of a test repeat.
    seen: Mutex<HashSet<u64>>,
}

/// Checks an answer to a request, if it is an operation's own path, or that path below `/api`, and the body is JSON.
#[track_caller]
pub(crate) fn check(method: &str, path: &str, answer: &Answer) {
    let is_plain = answer.header("content-encoding").is_none();
    if answer.header("content-type") != Some("application/json") || answer.body.is_empty() || !is_plain {
        return;
    }
    let path = path.split('?').next().unwrap();
    let (path, is_legacy) = path.strip_prefix("/api").map_or((path, false), |path| (path, true));
    let Some((template, operations)) = operations(path) else { return };
    // The answer to a wrong method is documented by the path's own operation.
    let operation = operations.get(method.to_lowercase()).or_else(|| operations.as_object()?.values().next()).unwrap();
    let mut digest = DefaultHasher::new();
    let body = answer.body.rsplit_once(r#","time":"#).map_or(&*answer.body, |(body, _)| body);
    (template, is_legacy, method, answer.status, body).hash(&mut digest);
    let digest = digest.finish();
    if SCHEMAS.seen.lock().unwrap().contains(&digest) {
        return;
    }
    let response = resolve(&operation["responses"][answer.status.to_string()]);
    let schema = &response["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{method} {template} {} is not documented: {}", answer.status, answer.body);
    let mut value = answer.json();
    if is_legacy && let Some(data) = value.get_mut("data") {
        let records = if let Value::Array(records) = data { records } else { std::slice::from_mut(data) };
        for codes in records.iter_mut().filter_map(|record| record.get_mut("ubigeo")).filter(|codes| codes.is_array()) {
            // The original's three codes, of which the document describes the last; without an address null.
            assert_eq!(codes.as_array().unwrap().len(), 3, "{}", answer.body);
            *codes = codes[2].as_str().unwrap_or_default().into();
        }
    }
    // The legacy base has fields that the document does not describe.
    let validators = SCHEMAS.validators(schema);
    for validator in validators.iter().take(if is_legacy { 1 } else { 2 }) {
        assert_eq!(validator.check(&value), Ok(()), "{method} {template} {}: {}", answer.status, answer.body);
    }
    SCHEMAS.seen.lock().unwrap().insert(digest);
}

/// The documented path that a path is, with its operations.
fn operations(path: &str) -> Option<(&'static String, &'static Value)> {
    let fits = |template: &str| {
        template.split('/').count() == path.split('/').count()
            && template.split('/').zip(path.split('/')).all(|(known, part)| known.starts_with('{') || known == part)
    };
    DOCUMENT["paths"].as_object().unwrap().iter().find(|(template, _)| fits(template))
}

/// The value that a reference of the document leads to; any other value itself.
pub(crate) fn resolve(value: &'static Value) -> &'static Value {
    let Some(reference) = value.get("$ref") else { return value };
    DOCUMENT.pointer(reference.as_str().unwrap().trim_start_matches('#')).unwrap()
}

impl Schemas {
    fn validators(&self, schema: &Value) -> Arc<[JsonSchema; 2]> {
        let mut compiled = self.compiled.lock().unwrap();
        let validators = compiled.entry(schema["$ref"].to_string()).or_insert_with(|| {
            let open =
                json!({ "$ref": schema["$ref"], "components": { "schemas": DOCUMENT["components"]["schemas"] } });
            let mut closed = open.clone();
            close(&mut closed);
            Arc::new([open, closed].map(JsonSchema::new))
        });
        Arc::clone(validators)
    }
}

/// Forbids other fields than those of each object.
fn close(schema: &mut Value) {
    if schema.get("properties").is_some_and(Value::is_object) && schema.get("additionalProperties").is_none() {
        schema["additionalProperties"] = false.into();
    }
    match schema {
        Value::Object(fields) => fields.values_mut().for_each(close),
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
