//! The rules and pointers of a provider's file: which answers a rule holds for, and where a pointer leads.

use serde_json::{Value, json};

use super::made_up::{record, spec, told, told_with};

/// Whether this rule for "not found" holds for an answer.
fn holds(rule: &str, status: u16, body: &Value) -> bool {
    let spec = spec(&format!("not_found = [{rule}]"), "");
    let class = told_with(&spec, status, body.to_string().as_bytes()).class;
    assert!(["not_found", "unreadable"].contains(&class), "{rule} {status} {body}: {class}");
    class == "not_found"
}

#[test]
fn all_of_a_rule_must_hold() {
    let rule = r#"{ status = 404, "/code" = "404" }"#;
    assert!(holds(rule, 404, &json!({"code": "404"})));
    assert!(!holds(rule, 200, &json!({"code": "404"})));
    assert!(!holds(rule, 404, &json!({"code": 404})));
    assert!(!holds(rule, 404, &json!({"mensaje": "Not Found"})));
}

#[test]
fn a_sentence_is_compared_whole() {
    let rule = r#"{ "/message" = "No se encontraron registros" }"#;
    assert!(holds(rule, 200, &json!({"message": " no se  encontraron registros."})));
    assert!(!holds(rule, 200, &json!({"message": "No se encontraron registros por mantenimiento"})));
}

#[test]
fn values_of_different_types_are_different() {
    let (success, status) = (r#"{ "/success" = false }"#, r#"{ "/status" = 200 }"#);
    assert!(!holds(success, 200, &json!({"success": "false"})));
    assert!(!holds(success, 200, &json!({"success": null})));
    assert!(holds(success, 200, &json!({"success": false})));
    assert!(!holds(status, 200, &json!({"status": "200"})));
    assert!(holds(status, 200, &json!({"status": 200})));
}

#[test]
fn a_pointer_escapes_slashes_and_tildes() {
    let name = || json!("EL SOL");
    for (pointer, answer) in [
        ("/trade", record("trade", name())),
        ("/data/trade", record("data", json!({ "trade": name() }))),
        ("/names/2", record("names", json!(["", "", name()]))),
        ("/a~1b", record("a/b", name())),
        ("/a~0b", record("a~b", name())),
        ("/", record("", name())),
    ] {
        let told = told(&spec("", &format!("trade_name = \"{pointer}\"")), answer.to_string().as_bytes());
        let name = told.record.map(|record| record.trade_name);
        assert_eq!(name.as_deref(), Some("EL SOL"), "{pointer}: {}", told.reason);
    }
}
