//! Answers as JSON: read as they are written, or refused.

use serde_json::{Value, json};

use super::made_up::{record, spec, told};

/// Why an answer is not read.
fn refusal(body: impl AsRef<[u8]>) -> String {
    let told = told(&spec("", ""), body.as_ref());
    assert_eq!((told.class, told.record), ("unreadable", None));
    told.reason
}

#[test]
fn values_are_read_as_they_are_written() {
    let answer = record("it", json!({ "a": null, "b": [true, -1, 2, 2.5, "ñ"], "c": { "d": {} } })).to_string();
    let class = |rule: &str, field: &str| {
        let told = told(&spec(&format!("found = {{ {rule} }}"), field), answer.as_bytes());
        (told.class, told.reason)
    };
    let rule = r#""/it/b/0" = true, "/it/b/1" = -1, "/it/b/2" = 2, "/it/b/4" = "ñ""#;
    assert_eq!(class(rule, r#"trade_name = { at = "/it/a", nullable = true }"#).0, "found");
    for other in [r#""/it/b/0" = false"#, r#""/it/b/1" = 1"#, r#""/it/b/3" = 2"#, r#""/it/b/4" = "n""#] {
        let (class, reason) = class(other, "");
        assert!(class == "unreadable" && reason.contains("no rule"), "{other}: {reason}");
    }
    for object in ["/it/c", "/it/c/d"] {
        let (class, reason) = class(rule, &format!("trade_name = \"{object}\""));
        assert!(class == "unreadable" && reason.contains("unexpected type"), "{object}: {reason}");
    }
}

#[test]
fn a_key_that_stands_twice_inside_a_value_is_an_error() {
    let whole = record("it", json!({ "a": 1, "b": 2 })).to_string();
    assert_eq!(told(&spec("", ""), whole.as_bytes()).class, "found");
    let twice = whole.replace(r#""b":2"#, r#""b":2,"a":1"#);
    assert!(refusal(twice).contains("a key stands twice"));
}

#[test]
fn text_after_the_document_is_an_error() {
    let whole = record("it", Value::Null).to_string();
    for more in [" {}", "<html>"] {
        assert!(refusal(format!("{whole}{more}")).contains("trailing characters"), "{more}");
    }
    assert!(refusal("").contains("EOF"));
}

#[test]
fn values_are_counted() {
    // The record itself and its array are six.
    let many = |count: usize| record("it", vec![0; count].into()).to_string();
    assert_eq!(told(&spec("", ""), many(20_000 - 6).as_bytes()).class, "found");
    assert!(refusal(many(20_000 - 5)).contains("too many values"));
    assert!(refusal("[".repeat(1 << 20)).contains("recursion limit"));
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let whole = record("it", json!("PU?O")).to_string();
    assert_eq!(told(&spec("", ""), whole.as_bytes()).class, "found");
    let latin1: Vec<u8> = whole.bytes().map(|byte| if byte == b'?' { 0xd1 } else { byte }).collect();
    refusal(latin1);
}
