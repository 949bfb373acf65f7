//! Any bytes as a provider's answer, with every preset and several statuses: a record is about the requested RUC, which
//! the JSON holds; an absence has no record of that RUC; a failing status says nothing about the taxpayer.

#![no_main]

mod asked;

use std::sync::LazyLock;

use kuraka_adapters::sources::provider_api::{PRESETS, ProviderSpec, explain};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

static SPECS: LazyLock<Vec<ProviderSpec>> = LazyLock::new(|| {
    PRESETS.iter().map(|preset| ProviderSpec::parse(preset.name, preset.text).expect("a preset")).collect()
});

/// Whether a text or a number anywhere in the JSON is this RUC.
fn holds(value: &Value, ruc: &str) -> bool {
    match value {
        Value::String(text) => text.trim() == ruc,
        Value::Number(number) => number.to_string() == ruc,
        Value::Array(items) => items.iter().any(|item| holds(item, ruc)),
        Value::Object(fields) => fields.values().any(|field| holds(field, ruc)),
        Value::Null | Value::Bool(_) => false,
    }
}

fuzz_target!(|body: &[u8]| {
    let ruc = asked::asked(body);
    let document = serde_json::from_slice::<Value>(body);
    for spec in &*SPECS {
        for status in [200, 404, 422] {
            let explained = explain(spec, body, status, ruc);
            if let Some(record) = explained.record {
                assert_eq!((record.ruc, explained.class), (ruc, "found"));
                assert!(!record.name.is_empty(), "{record:?}");
                let document = document.as_ref().expect("a record comes from JSON");
                assert!(holds(document, &ruc.to_string()), "{document}");
                let other = explain(spec, body, status, asked::another(ruc));
                assert!(other.record.is_none() && other.class != "not_found", "{other:?}");
            }
            assert!(explained.class != "not_found" || document.is_ok(), "an absence without JSON");
        }
        for status in [401, 429, 500, 503] {
            let explained = explain(spec, body, status, ruc);
            assert!(!["found", "not_found"].contains(&explained.class), "{status}: {explained:?}");
        }
    }
});
