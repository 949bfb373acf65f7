//! Which parameters of an address are refused as a token: the usual names in any spelling, and tokens under any name.

use std::sync::Arc;

use actix_web::test;
use kuraka_adapters::clock::SystemClock;
use kuraka_ports::fake::{MemoryStore, ScriptedRegistry};
use serde_json::Value;

use super::served::served;
use super::test_api::api;

const IN_ADDRESS: &str = "El token no va en la dirección: ";
const MISSING: &str = "Falta el token. ";

/// Checks how the refusal of calls with these query strings begins, which have no token in a header.
async fn refused(queries: &[&str], expected: &str) {
    let (api, _) = api(Arc::new(MemoryStore::new()), Arc::new(SystemClock::start()), ScriptedRegistry::empty()).await;
    let app = test::init_service(served(api)).await;
    for query in queries {
        let request = test::TestRequest::post().uri(&format!("/ruc?{query}")).to_request();
        let response = test::call_service(&app, request).await;
        assert_eq!(response.status(), 401, "{query}");
        let envelope: Value = test::read_body_json(response).await;
        let message = envelope["message"].as_str().unwrap();
        assert!(message.starts_with(expected), "{query}: {message}");
    }
}

#[actix_web::test]
async fn the_usual_names_are_found_in_any_spelling() {
    let queries = [
        "token=x",
        "a=1&token=",
        "token",
        "TOKEN=x",
        "access_token=x",
        "access-token=x",
        "apiToken=x",
        "api_key=x",
        "apikey=x",
        "t%6fken=x",
        "authorization=Bearer%20x",
    ];
    refused(&queries, IN_ADDRESS).await;
}

#[actix_web::test]
async fn a_token_is_found_under_any_name() {
    let token = format!("kur_{:036}", 7);
    refused(&[format!("k={token}").as_str(), token.as_str()], IN_ADDRESS).await;
}

#[actix_web::test]
async fn other_parameters_are_no_token() {
    refused(&["", "ruc=20100119227", "tokens=1", "t=kur_x", "&&", "=", "%"], MISSING).await;
}
