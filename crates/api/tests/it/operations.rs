//! The descriptions of the operations are consistent.

use std::collections::BTreeSet;

use kuraka_api::{CodeDescription, Operation, cpe, llms_txt, openapi, ruc, ruc_official, usage};
use kuraka_domain::ResultCode;
use serde_json::Value;

const OPERATIONS: [&Operation; 4] = [&ruc::OPERATION, &ruc_official::OPERATION, &cpe::OPERATION, &usage::OPERATION];

fn codes() -> Vec<CodeDescription> {
    ResultCode::ALL.into_iter().map(|code| CodeDescription { code, status: 200, message: "Un mensaje." }).collect()
}

#[test]
fn operation_names_and_aliases_are_unique() {
    let names = OPERATIONS.iter().flat_map(|operation| std::iter::once(&operation.name).chain(operation.aliases));
    let mut known = BTreeSet::new();
    for name in names {
        assert!(known.insert(*name), "{name}");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte)));
    }
}

#[test]
fn every_example_and_sample_is_valid_json() {
    for operation in OPERATIONS {
        let examples = operation.request.iter().chain([&operation.response]).map(|body| body.example);
        let samples = operation.playground.iter().flat_map(|playground| playground.samples).map(|sample| sample.body);
        for text in examples.chain(samples) {
            assert!(serde_json::from_str::<Value>(text).is_ok(), "{text}");
            assert!(!text.contains('\''), "the panel shows it in a shell command: {text}");
        }
    }
}

#[test]
fn the_openapi_document_has_every_operation_under_both_prefixes() {
    let document = openapi::document(&OPERATIONS, &codes());
    for operation in OPERATIONS {
        for path in [format!("/{}", operation.name), format!("/api/{}", operation.name)] {
            let method = operation.method.as_str().to_lowercase();
            assert_eq!(document["paths"][&path][&method]["summary"], operation.title, "{path}");
        }
    }
}

#[test]
fn llms_txt_has_every_operation_and_code() {
    let text = llms_txt::text(&OPERATIONS, &codes());
    for operation in OPERATIONS {
        assert!(text.contains(&format!("## {} /{}\n", operation.method.as_str(), operation.name)));
    }
    for code in ResultCode::ALL {
        assert!(text.contains(&format!("- {code} (200, retryable {}): Un mensaje.", code.retryable())));
    }
}

#[test]
fn a_free_operation_has_no_rate_limit_or_quota_codes() {
    let codes: Vec<ResultCode> = usage::OPERATION.all_codes().collect();
    assert!(!codes.contains(&ResultCode::RateLimited) && !codes.contains(&ResultCode::QuotaExceeded));
    assert!(!codes.contains(&ResultCode::PayloadTooLarge) && codes.contains(&ResultCode::Found));
}
