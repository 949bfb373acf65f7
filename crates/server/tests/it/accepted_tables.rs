//! Which form of a list's answer the header `Accept` asks for: JSON, or a table.

use std::sync::Arc;

use actix_web::test;
use kuraka_adapters::clock::SystemClock;
use kuraka_ports::fake::MemoryStore;
use kuraka_tables::TableForm;
use serde_json::json;

use super::served::served;
use super::test_api::{api, registry};

const JSON: &str = "application/json";
const CSV: &str = "text/csv; charset=utf-8";
const XLSX: &str = TableForm::Xlsx.media_type();

/// Checks the media type of the answer to a list with each of these headers.
async fn answered<const N: usize>(cases: [(Vec<&str>, &str); N]) {
    let (api, token) = api(Arc::new(MemoryStore::new()), Arc::new(SystemClock::start()), registry([])).await;
    let app = test::init_service(served(api)).await;
    for (accept, expected) in cases {
        let request = test::TestRequest::post().uri("/ruc-multiple").set_json(json!({"rucs": ["x"]}));
        let request = request.insert_header(("Authorization", format!("Bearer {}", token.reveal())));
        let request = accept.iter().fold(request, |request, value| request.append_header(("Accept", *value)));
        let response = test::call_service(&app, request.to_request()).await;
        let media_type = response.headers().get("Content-Type").unwrap().to_str().unwrap();
        assert_eq!((response.status().as_u16(), media_type), (200, expected), "{accept:?}");
    }
}

#[actix_web::test]
async fn a_table_is_written_if_the_client_names_it_before_json() {
    answered([
        (vec!["text/csv"], CSV),
        (vec!["Text/CSV; charset=utf-8; header=present"], CSV),
        (vec!["*/*, text/csv"], CSV),
        (vec!["text/html", "text/csv;q=0.1"], CSV),
        (vec!["text/csv, application/json"], CSV),
        (vec!["text/csv, */*;q=0.1"], CSV),
    ])
    .await;
}

#[actix_web::test]
async fn json_is_written_if_no_table_is_named_before_it() {
    let none = ["", "*/*", JSON, "text/*", "text/html, */*;q=0.8", "text/csv;q=0", "csv", ",;,"];
    answered(none.map(|accept| (vec![accept], JSON))).await;
    let first = ["application/json, text/csv", "text/csv;q=0.9, application/json", "text/csv;q=0.9, */*"];
    answered(first.map(|accept| (vec![accept], JSON))).await;
    answered([(Vec::new(), JSON)]).await;
}

#[actix_web::test]
async fn of_two_tables_the_one_of_the_higher_quality_is_written() {
    for (csv, xlsx, expected) in [("0.5", "0.501", XLSX), ("0.501", "0.5", CSV), ("0", "0.001", XLSX)] {
        answered([(vec![&*format!("text/csv;q={csv}, {XLSX};q={xlsx}")], expected)]).await;
    }
}
