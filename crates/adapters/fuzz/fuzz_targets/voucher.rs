//! Any bytes as an answer of the voucher service: a validation comes only from an object that reports success and has the
//! same code under a second reading; other statuses never validate.

#![no_main]

use kuraka_adapters::sources::sunat_vouchers::explain;
use kuraka_domain::VoucherStatus;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|body: &[u8]| {
    let explained = explain(body, 200);
    assert_eq!(explained.record.is_some(), explained.class == "found", "{explained:?}");
    if let Some(statement) = explained.record {
        let document: Value = serde_json::from_slice(body).expect("a validation comes from JSON");
        assert_eq!(document["success"], Value::Bool(true));
        let code = match &document["data"]["estadoCp"] {
            Value::String(text) => text.trim().to_owned(),
            number => number.to_string(),
        };
        assert_eq!(statement.status, VoucherStatus::from_code(&code), "{code}");
        assert!(statement.observations.len() <= 100);
        assert!(statement.observations.iter().all(|text| !text.is_empty() && !text.chars().any(char::is_control)));
    }
    for status in [204, 302, 400, 401, 403, 404, 422, 429, 500, 503] {
        let explained = explain(body, status);
        assert!(explained.record.is_none() && explained.class != "found", "{status}: {explained:?}");
        assert!(explained.reason.len() <= 4_096, "{status}: {} bytes of reason", explained.reason.len());
    }
});
