//! `POST /ruc-busqueda` on a registry without an index of names.

use std::sync::Arc;

use actix_web::test;
use kuraka_adapters::clock::SystemClock;
use kuraka_ports::fake::MemoryStore;
use serde_json::{Value, json};

use super::served::served;
use super::test_api::{api, registry};

#[actix_web::test]
async fn without_an_index_a_search_is_unavailable_and_not_charged() {
    let registry = registry([]);
    registry.drop_index();
    let (api, token) = api(Arc::new(MemoryStore::new()), Arc::new(SystemClock::start()), registry).await;
    let app = test::init_service(served(api)).await;
    // The charge comes before the fields, and is refunded.
    for (body, status, left) in
        [(json!({"nombre": "molin"}), 503, 1_000), (json!({"nombre": "molin"}), 503, 1_000), (json!({}), 400, 999)]
    {
        let request = test::TestRequest::post().uri("/ruc-busqueda");
        let request = request.insert_header(("Authorization", format!("Bearer {}", token.reveal()))).set_json(body);
        let response = test::call_service(&app, request.to_request()).await;
        let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(response.status(), status);
        assert!(header("RateLimit").unwrap().contains(&format!("\"monthly\";r={left};")), "{:?}", header("RateLimit"));
        if status == 503 {
            let headers = ["X-Registry-Edition", "Retry-After"].map(header);
            assert_eq!(headers, [None, Some("300".to_owned())]);
            let envelope: Value = test::read_body_json(response).await;
            assert_eq!(envelope["code"], "service_unavailable");
            assert!(envelope["message"].as_str().unwrap().contains("no tiene el índice de nombres"), "{envelope}");
        }
    }
}
