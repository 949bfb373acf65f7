//! A panic in a call becomes an error response, and other calls are not affected. The tests panic in a port and in the
//! log.

use std::io::{self, Sink, Write};
use std::sync::{Arc, Mutex};

use actix_http::Request;
use actix_web::body::BoxBody;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::{Error, test};
use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::store::SqliteStore;
use kuraka_domain::{Date, Ruc, TaxpayerProfile};
use kuraka_ports::{
    Edition, EditionOrigin, NamePage, NameQuery, ProfileParts, RegistrySnapshot, SnapshotDataset, SourceError,
    TaxpayerHistory, TaxpayerRegistry,
};
use kuraka_sandbox::sample;
use kuraka_server::http::Api;
use serde_json::{Value, json};
use tempfile::TempDir;
use tracing::subscriber::set_default;

use super::served::served;
use super::test_api::api;

/// A registry that panics for one RUC and has no other.
#[derive(Clone)]
struct Buggy(Arc<Edition>);

impl TaxpayerRegistry for Buggy {
    fn snapshot(&self) -> Option<Arc<dyn RegistrySnapshot>> {
        Some(Arc::new(self.clone()))
    }
}

impl Buggy {
    fn new() -> Self {
        Self(Arc::new(Edition {
            label: "2026-11-18-00000000".into(),
            digest: None,
            date: Date::new(2026, 11, 18).unwrap(),
            origin: EditionOrigin::Sample,
            rows: 0,
        }))
    }
}

impl RegistrySnapshot for Buggy {
    fn edition(&self) -> &Arc<Edition> {
        &self.0
    }

    fn datasets(&self) -> &[SnapshotDataset] {
        &[]
    }

    fn missing_list(&self) -> Option<&SnapshotDataset> {
        None
    }

    fn profile(&self, ruc: Ruc, _: ProfileParts) -> Result<Option<TaxpayerProfile>, SourceError> {
        assert_ne!(ruc.to_string(), sample::PERSON, "a bug");
        Ok(None)
    }

    fn history(&self, _: Ruc) -> Result<Option<TaxpayerHistory<'_>>, SourceError> {
        Ok(None)
    }

    fn search(&self, _: &NameQuery) -> Result<Option<NamePage>, SourceError> {
        Ok(None)
    }
}

/// The bytes of the log.
#[derive(Clone, Default)]
struct Capture(Arc<Mutex<Vec<u8>>>);

impl Write for Capture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An API on the registry that panics, whose store is a file, and the value of the header with the caller's token.
async fn buggy() -> (TempDir, Api, String) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("kuraka.db"), SqliteStore::BUSY_TIMEOUT).await.unwrap();
    let (api, token) = api(Arc::new(store), Arc::new(SystemClock::start()), Buggy::new()).await;
    (folder, api, format!("Bearer {}", token.reveal()))
}

/// Sends a call, whose answer has this status and these queries left, and returns its envelope.
async fn call<S>(app: &S, token: &str, path: &str, body: Value, (status, left): (u16, u64)) -> Value
where
    S: Service<Request, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    let request = test::TestRequest::post().uri(path).insert_header(("Authorization", token)).set_json(body);
    let request = request.insert_header(("X-Request-Id", "the-same"));
    let response = test::call_service(app, request.to_request()).await;
    assert_eq!(response.status(), status);
    assert_eq!(response.headers().get("X-Request-Id").unwrap(), "the-same");
    let limits = response.headers().get("RateLimit").unwrap().to_str().unwrap();
    assert!(limits.contains(&format!("\"monthly\";r={left};")), "a panic is not charged: {limits}");
    test::read_body_json(response).await
}

#[actix_web::test]
async fn a_panic_becomes_an_internal_error_without_details_or_charge() {
    let log = Capture::default();
    let (lines, writer) = (tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE), log.clone());
    let _log = set_default(lines.with_writer(move || writer.clone()).finish());
    let (_folder, api, token) = buggy().await;
    let metrics = Arc::clone(&api.metrics);
    let app = test::init_service(served(api)).await;
    for charged in 0..3 {
        for (ruc, expected, code) in [
            (sample::PERSON, (500, 1_000 - charged), "internal_error"),
            (sample::ABSENT, (404, 999 - charged), "document_not_found"),
        ] {
            let body = call(&app, &token, "/ruc", json!({ "ruc": ruc }), expected).await;
            assert_eq!((&body["success"], &body["code"]), (&false.into(), &code.into()), "{body}");
            assert_eq!(body["retryable"], code == "internal_error");
            let text = body.to_string();
            assert!(!text.contains("bug") && !text.contains(ruc) && !text.contains("panic"), "{text}");
        }
    }
    let counted = metrics.print().unwrap();
    assert!(counted.contains(r#"kuraka_answers_total{operation="ruc",code="internal_error"} 3"#), "{counted}");
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("a call could not be answered") && !log.contains(sample::PERSON), "{log}");
}

#[actix_web::test]
async fn a_panic_in_a_list_refunds_every_item() {
    let (_folder, api, token) = buggy().await;
    let app = test::init_service(served(api)).await;
    for (rucs, expected) in [
        (vec![sample::ABSENT; 30], (200, 970)),
        (vec![sample::ABSENT, sample::ABSENT, sample::PERSON], (500, 970)),
        (vec![sample::ABSENT; 70], (200, 900)),
    ] {
        call(&app, &token, "/ruc-multiple", json!({ "rucs": rucs }), expected).await;
    }
}

#[actix_web::test]
async fn a_panic_in_the_log_costs_neither_the_answer_nor_the_charge() {
    let (_folder, api, token) = buggy().await;
    let metrics = Arc::clone(&api.metrics);
    let app = test::init_service(served(api)).await;
    let _log = set_default(tracing_subscriber::fmt().with_writer(|| -> Sink { panic!("a bug in the log") }).finish());
    for (ruc, expected) in [(sample::ABSENT, (404, 999)), (sample::PERSON, (500, 999)), (sample::ABSENT, (404, 998))] {
        assert_eq!(call(&app, &token, "/ruc", json!({ "ruc": ruc }), expected).await["success"], false);
    }
    for (path, status) in [("/llms.txt", 200), ("/nada", 404)] {
        let response = test::call_service(&app, test::TestRequest::get().uri(path).to_request()).await;
        assert_eq!(response.status(), status);
        assert!(response.headers().contains_key("X-Request-Id"));
    }
    let counted = metrics.print().unwrap();
    for line in [
        r#"kuraka_answers_total{operation="ruc",code="document_not_found"} 2"#,
        r#"kuraka_answers_total{operation="ruc",code="internal_error"} 1"#,
        r#"kuraka_answers_total{operation="docs",code="found"} 1"#,
    ] {
        assert!(counted.contains(line), "{line} in {counted}");
    }
}
