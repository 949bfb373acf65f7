//! The texts that say what a state means and what to do.

use serde_json::Value;

/// The program reads the same file, as the sheets show.
const MEANINGS: &str = include_str!("../../src/pages/meanings.json");

#[test]
fn every_meaning_says_what_to_do_and_every_effect_has_a_source() {
    let known: Vec<Value> = serde_json::from_str(MEANINGS).unwrap();
    let has = |meaning: &Value, field: &str| meaning[field].as_str().is_some_and(|text| !text.is_empty());
    for meaning in &known {
        assert!(has(meaning, "means") && has(meaning, "next"), "{meaning}");
        assert!(!has(meaning, "effect") || has(meaning, "source"), "{meaning}");
    }
    for of in ["estado", "condicion", "capacidad", "sancion", "comprobante"] {
        let is_for_all =
            |meaning: &Value| meaning["of"] == of && meaning["texts"].as_array().unwrap().contains(&Value::from("*"));
        assert!(known.iter().any(is_for_all), "{of} has no meaning for a new text");
    }
}
