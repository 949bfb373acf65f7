//! A panic in a call becomes an error response, and other calls are not affected. The tests panic in a port and in the
//! log.

use std::io::{self, Sink, Write};
use std::sync::{Arc, Mutex};

use actix_web::http::StatusCode;
use actix_web::test;
use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::store::SqliteStore;
use kuraka_domain::{Date, Ruc, TaxpayerProfile};
use kuraka_ports::{
    Edition, EditionOrigin, NamePage, NameQuery, ProfileParts, RegistrySnapshot, SnapshotDataset, SourceError,
    TaxpayerHistory, TaxpayerRegistry,
};
use kuraka_sandbox::sample;
use serde_json::Value;
use tracing::subscriber::set_default;

use super::served::{served, test_api::api};

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

#[actix_web::test]
async fn a_panic_becomes_an_internal_error_without_details_or_charge() {
    let log = Capture::default();
    let (lines, writer) = (tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE), log.clone());
    let _log = set_default(lines.with_writer(move || writer.clone()).finish());
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("kuraka.db"), SqliteStore::BUSY_TIMEOUT).await.unwrap();
    let (api, token) = api(Arc::new(store), Arc::new(SystemClock::start()), Buggy::new()).await;
    let metrics = Arc::clone(&api.metrics);
    let app = test::init_service(served(api)).await;
    let mut charged = 0;
    for _ in 0..3 {
        for (ruc, status, code) in [
            (sample::PERSON, StatusCode::INTERNAL_SERVER_ERROR, "internal_error"),
            (sample::ABSENT, StatusCode::NOT_FOUND, "document_not_found"),
        ] {
            let request = test::TestRequest::post()
                .uri("/ruc")
                .insert_header(("Authorization", format!("Bearer {}", token.reveal())))
                .insert_header(("X-Request-Id", "the-same"))
                .set_json(serde_json::json!({ "ruc": ruc }));
            let response = test::call_service(&app, request.to_request()).await;
            assert_eq!(response.status(), status);
            assert_eq!(response.headers().get("X-Request-Id").unwrap(), "the-same");
            let limits = response.headers().get("RateLimit").unwrap().to_str().unwrap();
            charged += u64::from(code != "internal_error");
            assert!(
                limits.contains(&format!("\"monthly\";r={};", 1_000 - charged)),
                "a panic is not charged: {limits}"
            );
            let body: Value = test::read_body_json(response).await;
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
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("kuraka.db"), SqliteStore::BUSY_TIMEOUT).await.unwrap();
    let (api, token) = api(Arc::new(store), Arc::new(SystemClock::start()), Buggy::new()).await;
    let app = test::init_service(served(api)).await;
    for (rucs, status, left) in [
        (vec![sample::ABSENT; 30], StatusCode::OK, 970),
        (vec![sample::ABSENT, sample::ABSENT, sample::PERSON], StatusCode::INTERNAL_SERVER_ERROR, 970),
        (vec![sample::ABSENT; 70], StatusCode::OK, 900),
    ] {
        let request = test::TestRequest::post()
            .uri("/ruc-multiple")
            .insert_header(("Authorization", format!("Bearer {}", token.reveal())))
            .set_json(serde_json::json!({ "rucs": rucs }));
        let response = test::call_service(&app, request.to_request()).await;
        assert_eq!(response.status(), status);
        let limits = response.headers().get("RateLimit").unwrap().to_str().unwrap();
        assert!(limits.contains(&format!("\"monthly\";r={left};")), "{limits}");
    }
}

#[actix_web::test]
async fn a_panic_in_the_log_costs_neither_the_answer_nor_the_charge() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("kuraka.db"), SqliteStore::BUSY_TIMEOUT).await.unwrap();
    let (api, token) = api(Arc::new(store), Arc::new(SystemClock::start()), Buggy::new()).await;
    let metrics = Arc::clone(&api.metrics);
    let app = test::init_service(served(api)).await;
    let _log = set_default(tracing_subscriber::fmt().with_writer(|| -> Sink { panic!("a bug in the log") }).finish());
    for (ruc, status, left) in [(sample::ABSENT, 404, 999), (sample::PERSON, 500, 999), (sample::ABSENT, 404, 998)] {
        let request = test::TestRequest::post()
            .uri("/ruc")
            .insert_header(("Authorization", format!("Bearer {}", token.reveal())))
            .set_json(serde_json::json!({ "ruc": ruc }));
        let response = test::call_service(&app, request.to_request()).await;
        assert_eq!(response.status(), status);
        assert!(response.headers().contains_key("X-Request-Id"));
        let limits = response.headers().get("RateLimit").unwrap().to_str().unwrap();
        assert!(limits.contains(&format!("\"monthly\";r={left};")), "{limits}");
        let body: Value = test::read_body_json(response).await;
        assert_eq!(body["success"], false);
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
