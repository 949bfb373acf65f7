//! The descriptions of the operations are consistent.

use std::collections::BTreeSet;

use kuraka_api::{CodeDescription, cpe, llms_txt, ruc_official, usage};
use kuraka_domain::ResultCode;
use serde_json::Value;

use crate::records::OPERATIONS;

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
fn the_underscore_spelling_of_a_hyphenated_name_is_an_alias() {
    for operation in OPERATIONS {
        for name in std::iter::once(&operation.path).chain(operation.aliases) {
            let underscored = name.replace('-', "_");
            assert!(underscored == *name || operation.aliases.contains(&&*underscored), "{name}");
        }
    }
}

#[test]
fn an_operation_names_the_other_requests_with_its_answer() {
    let others: Vec<String> = ruc_official::OPERATION.other_requests().collect();
    assert!(others.starts_with(&["GET /ruc-official/{ruc}".to_owned(), "GET /ruc_official/{ruc}".to_owned()]));
    assert!(others.contains(&"POST /ruc-sunat".to_owned()) && others.contains(&"GET /ruc_sunat/{ruc}".to_owned()));
    assert_eq!(cpe::OPERATION.other_requests().next(), None);
}

#[test]
fn llms_txt_has_every_operation_and_code() {
    let text = llms_txt::text(&OPERATIONS, &codes());
    for operation in OPERATIONS {
        assert!(text.contains(&format!("## {} /{}\n", operation.method.as_str(), operation.path)));
    }
    for code in ResultCode::ALL {
        assert!(text.contains(&format!("- {code} (200, retryable {}): Un mensaje.", code.retryable())));
    }
}

#[test]
fn llms_txt_has_every_sent_field_with_its_values_and_bounds() {
    let text = llms_txt::text(&OPERATIONS, &codes());
    for line in [
        "- modo: texto o null. Cómo se comparan las palabras con las del nombre. Valores: palabras, comienzo, contiene.",
        "- limite: entero de 1 a 50 o null. Empresas por página; 20 si falta.",
        "- ficha: true o false o null. ",
        "- rucs[].fecha: fecha AAAA-MM-DD. El día.",
        "sancion.\n",
    ] {
        assert!(text.contains(line), "{line}");
    }
}

#[test]
fn a_free_operation_has_no_rate_limit_or_quota_codes() {
    let codes: Vec<ResultCode> = usage::OPERATION.all_codes().collect();
    assert!(!codes.contains(&ResultCode::RateLimited) && !codes.contains(&ResultCode::QuotaExceeded));
    assert!(!codes.contains(&ResultCode::PayloadTooLarge) && codes.contains(&ResultCode::Found));
}
