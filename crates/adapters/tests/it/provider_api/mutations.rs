//! Answers with something wrong in them: the same record, or no answer, and never another one.

use kuraka_adapters::sources::provider_api::PRESETS;
use serde_json::{Value, json};

use super::fixtures::{Case, cases, spec};
use crate::recorded::record;

/// Cases that are read as this class.
fn cases_of_class(class: &str) -> Vec<Case> {
    let cases: Vec<_> = cases().into_iter().filter(|case| case.expected["class"] == class).collect();
    assert!(!cases.is_empty(), "no case is {class}");
    cases
}

/// Pointers to every value inside a document.
fn pointers(document: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match document {
        Value::Object(entries) => entries.iter().map(|(key, value)| (format!("/{key}"), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, value)| (format!("/{at}"), value)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    let below = |(step, value): (String, &Value)| {
        let deeper: Vec<_> = pointers(value).into_iter().map(|rest| format!("{step}{rest}")).collect();
        [vec![step], deeper].concat()
    };
    children.into_iter().flat_map(below).collect()
}

/// The document without the value at a pointer.
fn without(document: &Value, pointer: &str) -> Value {
    let mut document = document.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    // Items of arrays are not taken out: see `changed`.
    document.pointer_mut(parent).and_then(Value::as_object_mut).unwrap().remove(key).unwrap();
    document
}

/// The document with another value at a pointer.
fn with(document: &Value, pointer: &str, value: Value) -> Value {
    let mut document = document.clone();
    *document.pointer_mut(pointer).unwrap() = value;
    document
}

/// Everything that one change of one value makes of a document, nulls apart, each with a word on what was done.
fn changed(document: &Value) -> Vec<(String, Value)> {
    let mut changed = Vec::new();
    for pointer in pointers(document) {
        let old = document.pointer(&pointer).unwrap();
        // An array without one of its items is a shorter list and a valid answer; objects are not.
        if pointer.rsplit_once('/').is_some_and(|(_, key)| key.parse::<usize>().is_err()) {
            changed.push((format!("{pointer} dropped"), without(document, &pointer)));
            let mut renamed = without(document, &pointer);
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            renamed.pointer_mut(parent).unwrap()[format!("{key}_")] = old.clone();
            changed.push((format!("{pointer} renamed"), renamed));
        }
        for other in [json!(7), json!(true), json!({}), json!({ "value": old }), json!([[old]])] {
            if std::mem::discriminant(&other) != std::mem::discriminant(old) || other.is_object() {
                changed.push((format!("{pointer} retyped to {other}"), with(document, &pointer, other.clone())));
            }
        }
        for text in ["A\u{fffd}B", "PUÃ‘A", "\u{1}", &"X".repeat(5_000)] {
            if old.is_string() {
                changed.push((format!("{pointer} spoilt"), with(document, &pointer, text.into())));
            }
        }
    }
    changed
}

fn read(case: &Case, document: &Value) -> (&'static str, Value) {
    let explanation = case.explain(document.to_string().as_bytes());
    (explanation.class, explanation.record.as_ref().map_or(Value::Null, record))
}

#[test]
fn a_changed_record_is_the_same_record_or_unreadable() {
    for case in cases_of_class("found") {
        let document: Value = serde_json::from_slice(&case.response).unwrap();
        let mut refused = 0;
        for (what, changed) in changed(&document) {
            match read(&case, &changed) {
                ("found", record) => assert_eq!(record, case.expected["record"], "{}: {what}", case.name),
                (class, _) => {
                    assert_eq!(class, "unreadable", "{}: {what}", case.name);
                    refused += 1;
                }
            }
        }
        assert!(refused > 20, "{}: only {refused} changes are seen", case.name);
    }
}

/// `null` is how some providers write that they have nothing, so a field that may be null can come out empty.
#[test]
fn a_null_leaves_its_field_empty_or_makes_the_answer_unreadable() {
    for case in cases_of_class("found") {
        let document: Value = serde_json::from_slice(&case.response).unwrap();
        for pointer in pointers(&document) {
            let (class, record) = read(&case, &with(&document, &pointer, Value::Null));
            if class != "found" {
                assert_eq!(class, "unreadable", "{}: {pointer}", case.name);
                continue;
            }
            let expected = case.expected["record"].as_object().unwrap();
            let differing = expected.iter().filter(|(field, value)| record[field.as_str()] != **value);
            let differing: Vec<_> = differing.map(|(field, _)| (field, &record[field.as_str()])).collect();
            let is_empty = |value: &Value| *value == json!("") || *value == json!([]) || value.is_null();
            assert!(differing.len() <= 1, "{}: {pointer}: {differing:?}", case.name);
            assert!(differing.iter().all(|(_, value)| is_empty(value)), "{}: {pointer}: {differing:?}", case.name);
            assert!(differing.is_empty() || case.provider == "apisperu", "{}: {pointer}", case.name);
        }
    }
}

#[test]
fn a_changed_absence_is_the_same_absence_or_unreadable() {
    for case in cases_of_class("not_found") {
        let document: Value = serde_json::from_slice(&case.response).unwrap();
        for (what, changed) in changed(&document) {
            let (class, _) = read(&case, &changed);
            assert!(matches!(class, "not_found" | "unreadable"), "{}: {what}: {class}", case.name);
        }
    }
}

#[test]
fn a_cut_answer_is_an_error() {
    for case in cases_of_class("found").iter().chain(&cases_of_class("not_found")) {
        let whole = case.response.trim_ascii_end().len();
        for cut in 0..whole {
            let class = case.explain(&case.response[..cut]).class;
            assert_eq!(class, "unreadable", "{} cut at {cut}", case.name);
        }
        let twice = [case.response.as_slice(), case.response.as_slice()].concat();
        assert_eq!(case.explain(&twice).class, "unreadable", "{} twice", case.name);
    }
}

#[test]
fn a_key_that_stands_twice_makes_an_answer_unreadable() {
    for case in cases_of_class("found") {
        let text = std::str::from_utf8(&case.response).unwrap().trim_start();
        let document: Value = serde_json::from_str(text).unwrap();
        for key in document.as_object().unwrap().keys() {
            let twice = format!("{{\"{key}\":null,{}", &text[1..]);
            assert_eq!(case.explain(twice.as_bytes()).class, "unreadable", "{}: {key}", case.name);
        }
    }
}

#[test]
fn a_record_is_about_the_taxpayer_that_was_asked_for() {
    for mut case in cases_of_class("found") {
        let asked = std::mem::replace(&mut case.ruc, "20131312955".parse().unwrap());
        assert_ne!(asked, case.ruc);
        assert_eq!(case.explain(&case.response).class, "unreadable", "{}", case.name);
    }
}

#[test]
fn no_provider_reads_anothers_answer_as_not_found() {
    for mut case in cases_of_class("found") {
        for name in PRESETS.iter().map(|preset| preset.name) {
            case.spec = spec(name);
            let (class, record) = read(&case, &serde_json::from_slice(&case.response).unwrap());
            assert_ne!(class, "not_found", "{} read as {name}'s", case.name);
            if class == "found" {
                assert_eq!(record["name"], case.expected["record"]["name"], "{} read as {name}'s", case.name);
            }
        }
    }
}
