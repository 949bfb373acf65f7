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
fn all_of_a_rule_must_hold_with_whole_sentences_and_the_same_types() {
    let (code, success, number) =
        (r#"{ status = 404, "/code" = "404" }"#, r#"{ "/success" = false }"#, r#"{ "/status" = 200 }"#);
    let sentence = r#"{ "/message" = "No se encontraron registros" }"#;
    for (rule, status, body, expected) in [
        (code, 404, json!({"code": "404"}), true),
        (code, 200, json!({"code": "404"}), false),
        (code, 404, json!({"code": 404}), false),
        (code, 404, json!({"mensaje": "Not Found"}), false),
        (sentence, 200, json!({"message": " no se  encontraron registros."}), true),
        (sentence, 200, json!({"message": "No se encontraron registros por mantenimiento"}), false),
        (success, 200, json!({"success": "false"}), false),
        (success, 200, json!({"success": null}), false),
        (success, 200, json!({"success": false}), true),
        (number, 200, json!({"status": "200"}), false),
        (number, 200, json!({"status": 200}), true),
    ] {
        assert_eq!(holds(rule, status, &body), expected, "{rule} {status} {body}");
    }
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
