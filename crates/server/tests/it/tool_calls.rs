//! `POST /mcp`: from where it may be called, the place that a call of a tool has before it runs, and the permits of
//! messages.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::test::{self, TestRequest};
use jiff::Timestamp;
use kuraka_adapters::clock::SystemClock;
use kuraka_app::{ApiToken, ValidateVoucher};
use kuraka_ports::Accounts;
use kuraka_ports::fake::{ManualClock, MemoryStore, ScriptedRegistry, ScriptedValidator, TokioClock};
use kuraka_sandbox::sample;
use serde_json::{Value, json};
use tokio::time::{pause, sleep};

use super::served::served;
use super::test_api::{api, api_validating, company, owner, registry};

/// The message, or the array of messages, of this body.
fn message(token: &ApiToken, body: &Value) -> TestRequest {
    let request = TestRequest::post().uri("/mcp").set_json(body);
    request.insert_header(("Authorization", format!("Bearer {}", token.reveal())))
}

fn call(tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

#[actix_web::test]
async fn a_page_and_a_host_of_the_public_url_are_own() {
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    for (public_url, origin, host, is_own) in [
        (Some("https://api.example.pe"), None, "api.example.pe", true),
        (Some("https://api.example.pe"), None, "API.example.pe:443", true),
        (Some("https://api.example.pe"), Some("https://api.example.pe"), "api.example.pe", true),
        (Some("https://api.example.pe"), None, "api.example.pe:8080", false),
        (Some("https://api.example.pe"), None, "127.0.0.1:8080", false),
        (Some("https://api.example.pe"), Some("http://api.example.pe"), "api.example.pe", false),
        (Some("https://api.example.pe"), Some("https://api.example.pe.evil.example"), "api.example.pe", false),
        (Some("https://api.example.pe"), Some("null"), "api.example.pe", false),
        (None, None, "127.0.0.1:8080", true),
        (None, Some("http://127.0.0.1:8080"), "127.0.0.1:8080", false),
    ] {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(SystemClock::start()));
        let (mut api, token) = api(store, clock, ScriptedRegistry::empty()).await;
        api.public_url = public_url.map(str::to_owned);
        let app = test::init_service(served(api)).await;
        let request = message(&token, &ping).insert_header(("Host", host));
        let request = origin.into_iter().fold(request, |request, origin| request.insert_header(("Origin", origin)));
        let status = test::call_service(&app, request.to_request()).await.status();
        let expected = if is_own { StatusCode::OK } else { StatusCode::FORBIDDEN };
        assert_eq!(status, expected, "{public_url:?} {origin:?} {host}");
    }
}

/// So that none is refused after its charge. An array has one place, and its messages are counted, not it.
#[actix_web::test]
async fn a_call_of_a_tool_has_its_place_before_it_runs() {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH)));
    // The answer of the operation is small. The answer of the tool has it twice, and is large.
    let (api, token) = api(store.clone(), clock, registry([company(sample::COMPANY, 40_000)])).await;
    let owner = Accounts::find(&*store, &owner()).await.unwrap().unwrap().id;
    let (places, metrics) = (Arc::clone(&api.live.places), Arc::clone(&api.metrics));
    let app = test::init_service(served(api)).await;
    let send = async |body: &Value| test::call_service(&app, message(&token, body).to_request()).await;
    let counted = |line: &str| {
        let page = metrics.print().unwrap();
        assert!(page.lines().any(|known| known == line), "{line} in {page}");
    };
    let one = call("consultar_ruc", json!({ "ruc": sample::COMPANY }));
    let three = json!(vec![&one; 3]);
    let [first, second] = [(); 2].map(|()| places.take(owner).unwrap());
    for body in [&one, &three] {
        assert_eq!(send(body).await.status(), StatusCode::TOO_MANY_REQUESTS);
    }
    counted(r#"kuraka_queries_charged_total{operation="ruc"} 0"#);
    drop(first);
    let unread = send(&one).await;
    assert_eq!(unread.status(), StatusCode::OK);
    assert_eq!(send(&one).await.status(), StatusCode::TOO_MANY_REQUESTS, "its place is taken until it is read");
    drop(unread);
    assert_eq!(send(&three).await.status(), StatusCode::OK);
    drop(second);
    counted(r#"kuraka_queries_charged_total{operation="ruc"} 4"#);
    counted(r#"kuraka_answers_total{operation="mcp",code="found"} 4"#);
}

#[actix_web::test]
async fn each_message_of_an_array_has_a_permit_and_the_array_has_none() {
    pause();
    let clock = Arc::new(TokioClock::at("2026-11-20T15:00:00Z".parse().unwrap()));
    let source = ScriptedValidator::new("source");
    source.delay(Duration::from_secs(2));
    let (store, vouchers) = (Arc::new(MemoryStore::new()), ValidateVoucher::new(Arc::new(source), 32));
    let (api, token) = api_validating(store, clock, ScriptedRegistry::empty(), vouchers).await;
    let concurrency = Arc::clone(&api.live.concurrency);
    let app = test::init_service(served(api)).await;
    let voucher = |number: u32| {
        json!({
            "ruc_emisor": sample::ON_BOTH_LISTS, "codigo_tipo_documento": "01", "serie_documento": "F001",
            "numero_documento": number.to_string(), "fecha_de_emision": "2026-01-15", "total": 118,
        })
    };
    let three: Vec<_> = (1..=3).map(|number| call("validar_comprobante", voucher(number))).collect();
    let answered = test::call_service(&app, message(&token, &three.into()).to_request());
    let (answer, permits) = tokio::join!(answered, async {
        sleep(Duration::from_secs(1)).await;
        concurrency.last().unwrap().in_progress()
    });
    assert_eq!((answer.status(), permits), (StatusCode::OK, 3));
    let answers: Value = test::read_body_json(answer).await;
    let code = |answer: &Value| answer["result"]["structuredContent"]["code"].clone();
    assert_eq!(answers.as_array().unwrap().iter().map(code).collect::<Vec<_>>(), ["found"; 3], "{answers}");
}
