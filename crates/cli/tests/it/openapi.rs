//! The OpenAPI document: the committed file, the printed document and the served document are the same.

use serde_json::Value;

use super::http::get;
use super::program::Home;

const COMMITTED: &str = include_str!("../../../../docs/reference/openapi.json");
const WEBHOOKS: &str = include_str!("../../../../docs/reference/webhooks.json");

#[test]
fn the_committed_openapi_document_matches_the_printed_and_served_ones() {
    let home = Home::new();
    let printed = home.run(&["openapi"]).succeeded();
    assert!(printed == COMMITTED, "run kuraka openapi > docs/reference/openapi.json");
    let printed = home.run(&["openapi", "--webhooks"]).succeeded();
    assert!(printed == WEBHOOKS, "run kuraka openapi --webhooks > docs/reference/webhooks.json");
    let serving = home.serve();
    for (path, committed) in [("/openapi.json", COMMITTED), ("/webhooks.json", WEBHOOKS)] {
        let served = get(serving.api, path);
        assert_eq!((served.status, served.header("content-type")), (200, Some("application/json")));
        let (served, committed): (Value, Value) =
            (serde_json::from_str(&served.body).unwrap(), serde_json::from_str(committed).unwrap());
        assert_eq!(served, committed);
    }
}

#[test]
fn every_reference_in_the_openapi_document_resolves() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|field| references(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let document: Value = serde_json::from_str(COMMITTED).unwrap();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 50);
    for reference in found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}

#[test]
fn llms_txt_names_every_operation() {
    let serving = Home::new().serve();
    let text = get(serving.api, "/llms.txt");
    assert_eq!(text.status, 200);
    for word in ["POST /ruc", "POST /ruc-official", "POST /cpe", "GET /usage", "upstream_unavailable", "Retry-After"] {
        assert!(text.body.contains(word), "{word}");
    }
}
