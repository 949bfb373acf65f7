//! The descriptions of the operations are consistent.

use std::collections::BTreeSet;
use std::time::Duration;

use kuraka_api::{CodeDescription, cpe, llms_txt, openapi, ruc, ruc_official, usage};
use kuraka_domain::{Envelope, ResultCode};
use serde::Serialize;
use serde_json::{Value, json};

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
fn operations_that_fail_alike_share_the_response_in_the_openapi_document() {
    let codes: Vec<_> = (400..).zip(codes()).map(|(status, code)| CodeDescription { status, ..code }).collect();
    let document = openapi::document(&OPERATIONS, &codes);
    let response = |path: &str, code: ResultCode| {
        let described = codes.iter().find(|described| described.code == code).unwrap();
        document["paths"][path]["post"]["responses"][described.status.to_string()].clone()
    };
    let shared = json!({"$ref": "#/components/responses/invalid_input"});
    for path in ["/ruc", "/api/ruc-official", "/cpe"] {
        assert_eq!(response(path, ResultCode::InvalidInput), shared, "{path}");
        assert!(response(path, ResultCode::Found)["content"].is_object(), "{path}");
    }
    for name in ["invalid_input", "document_not_found"] {
        let example = &document["components"]["responses"][name]["content"]["application/json"]["examples"][name];
        assert_eq!(example["value"]["code"], name);
    }
}

/// The schema's required fields, which must be those of the written envelope, in its order.
fn has_the_fields_of<T: Serialize>(schema: &Value, envelope: &Envelope<T>) {
    let (written, object) = (serde_json::to_string(envelope).unwrap(), serde_json::to_value(envelope).unwrap());
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().map(|field| field.as_str().unwrap()).collect();
    let places: Vec<_> = required.iter().map(|field| written.find(&format!("\"{field}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{required:?} {written}");
    assert_eq!(
        required.iter().copied().collect::<BTreeSet<_>>(),
        object.as_object().unwrap().keys().map(|key| &**key).collect()
    );
    for field in ["success", "code", "retryable"] {
        assert_eq!(schema["properties"][field]["const"], object[field]);
    }
}

#[test]
fn the_schemas_of_answers_have_the_fields_of_the_envelope() {
    let document = openapi::document(&OPERATIONS, &codes());
    let schemas =
        &document["paths"]["/ruc"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]["oneOf"];
    for (code, schema) in ruc::OPERATION.all_codes().zip(schemas.as_array().unwrap()) {
        if code == ResultCode::Found {
            has_the_fields_of(schema, &Envelope::Found { data: (), time: Duration::ZERO });
        } else {
            has_the_fields_of(schema, &Envelope::<()>::Failed { code, message: "Un mensaje.".into() });
        }
    }
}

#[test]
fn the_underscore_spelling_of_a_hyphenated_name_is_an_alias() {
    for operation in OPERATIONS {
        for name in std::iter::once(&operation.name).chain(operation.aliases) {
            let underscored = name.replace('-', "_");
            assert!(underscored == *name || operation.aliases.contains(&&*underscored), "{name}");
        }
    }
}

#[test]
fn the_openapi_document_has_the_get_forms_with_their_path_parameter() {
    let document = openapi::document(&OPERATIONS, &codes());
    let with_parameter: Vec<_> =
        OPERATIONS.into_iter().filter(|operation| operation.path_parameter.is_some()).collect();
    let paths = document["paths"].as_object().unwrap().keys();
    assert_eq!(paths.filter(|path| path.contains('{')).count(), 2 * with_parameter.len());
    assert!(!with_parameter.is_empty());
    for operation in with_parameter {
        for prefix in ["", "/api"] {
            let get = &document["paths"][format!("{prefix}/{}/{{ruc}}", operation.name)]["get"];
            assert_eq!(get["parameters"][0]["name"], "ruc");
            assert_eq!(get["parameters"][0]["schema"]["format"], "ruc");
            assert!(get.get("requestBody").is_none());
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
