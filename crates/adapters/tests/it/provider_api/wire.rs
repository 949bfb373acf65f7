//! Providers over the wire: what is sent, and what becomes of answers that are more than a body.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use kuraka_adapters::sources::MAX_BODY;
use kuraka_adapters::sources::provider_api::{ProviderApi, ProviderError, ProviderSpec};
use kuraka_domain::Ruc;
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::fake::ManualClock;
use kuraka_ports::{DetailAnswer, DetailOrigin, Freshness, SourceError, SourceErrorKind, TaxpayerSource};
use secrecy::SecretString;

use super::fixtures::{cases, spec};
use crate::http::client;

const TOKEN: &str = "s3cret-t0ken";
const RUC: &str = "20100119227";

/// A server that gives one answer and tells what it was asked.
struct Upstream {
    url: String,
    asked: Receiver<String>,
}

impl Upstream {
    fn start(answer: Vec<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (tell, asked) = channel();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            let mut buffer = [0; 4096];
            while !is_whole(&request) {
                let read = stream.read(&mut buffer).unwrap();
                request.extend_from_slice(&buffer[..read]);
            }
            tell.send(String::from_utf8(request).unwrap()).unwrap();
            // A client that has read enough may hang up first.
            drop(stream.write_all(&answer));
        });
        Self { url, asked }
    }
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.map_or(0, |length| length.parse().unwrap())
}

fn answer(status: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}\r\n");
    [head.as_bytes(), body.as_ref()].concat()
}

/// The recorded answer of a case.
fn body(name: &str) -> Vec<u8> {
    cases().into_iter().find(|case| case.name == name).unwrap().response
}

fn provider(spec: ProviderSpec, token: Option<&str>, url: Option<String>) -> Result<ProviderApi, ProviderError> {
    let token = token.map(SecretString::from);
    ProviderApi::new("mine", spec, token, url, client("Kuraka tests"), Arc::new(ManualClock::at(NOW)))
}

/// Asks the provider `name` for 3M at a server that answers so.
async fn ask(name: &str, path: &str, sent: Vec<u8>) -> (Result<DetailAnswer, SourceError>, String) {
    let upstream = Upstream::start(sent);
    let provider = provider(spec(name), Some(TOKEN), Some(format!("{}{path}", upstream.url))).unwrap();
    let answer = provider.detail(RUC.parse().unwrap()).await;
    (answer, upstream.asked.recv().unwrap())
}

/// The kind of failure that an answer is for decolecta.
async fn failure(sent: Vec<u8>) -> SourceErrorKind {
    let (answer, _) = ask("decolecta", "/ruc?numero={ruc}", sent).await;
    let error = answer.unwrap_err();
    let told = format!("{error} {error:?}");
    assert!(!told.contains(TOKEN) && !told.contains(RUC), "{told}");
    error.kind
}

#[tokio::test]
async fn a_record_comes_from_a_provider_live() {
    let (answer, asked) = ask("peruapi", "/api/{ruc}", answer("200 OK", &[], body("peruapi_found"))).await;
    let answer = answer.unwrap();
    assert_eq!(answer.taxpayer.unwrap().name, "3M PERU S A");
    assert_eq!((answer.origin, answer.freshness), (DetailOrigin::Provider, Freshness::Live));
    let asked = asked.to_lowercase();
    assert!(asked.starts_with(&format!("get /api/{RUC} http/1.1\r\n")), "{asked}");
    for header in ["x-api-key: s3cret-t0ken", "accept: application/json", "accept-encoding: identity"] {
        assert!(asked.contains(&format!("\r\n{header}\r\n")), "{asked}");
    }
}

#[tokio::test]
async fn the_sandbox_is_recognised_by_its_header() {
    let sent = answer("200 OK", &["X-Source-Status: sandbox"], body("peruapi_found"));
    let (answer, _) = ask("peruapi", "/{ruc}", sent).await;
    assert_eq!(answer.unwrap().freshness, Freshness::Sandbox);
}

#[tokio::test]
async fn an_absent_taxpayer_is_a_value() {
    let sent = answer("404 Not Found", &[], body("peruapi_not_found"));
    let (answer, _) = ask("peruapi", "/{ruc}", sent).await;
    assert_eq!(answer.unwrap().taxpayer, None);
}

#[tokio::test]
async fn a_token_goes_where_the_file_says() {
    let nothing = || answer("500 Oops", &[], "");
    let (_, asked) = ask("apisperu", "/ruc/{ruc}?a=b", nothing()).await;
    assert!(asked.starts_with(&format!("GET /ruc/{RUC}?a=b&token={TOKEN} HTTP")), "{asked}");
    let (_, asked) = ask("decolecta", "/ruc?numero={ruc}", nothing()).await;
    assert!(asked.starts_with(&format!("GET /ruc?numero={RUC} HTTP")), "{asked}");
    assert!(asked.contains(&format!("uthorization: Bearer {TOKEN}\r\n")), "{asked}");
    let (_, asked) = ask("migo", "/api/v1/ruc", nothing()).await;
    assert!(asked.starts_with("POST /api/v1/ruc HTTP"), "{asked}");
    assert!(asked.contains("content-type: application/json\r\n"), "{asked}");
    assert!(asked.ends_with(&format!("\r\n\r\n{{\"ruc\":\"{RUC}\",\"token\":\"{TOKEN}\"}}")), "{asked}");
}

#[tokio::test]
async fn a_status_means_the_same_for_every_provider() {
    for status in ["401 Unauthorized", "403 Forbidden"] {
        assert_eq!(failure(answer(status, &[], "<html>")).await, SourceErrorKind::Credentials, "{status}");
    }
    for status in ["500 Oops", "502 Bad Gateway", "503 Busy", "504 Late"] {
        assert_eq!(failure(answer(status, &[], "{}")).await, SourceErrorKind::Unavailable, "{status}");
    }
    for status in ["204 No Content", "301 Moved", "302 Found", "400 Bad", "402 Pay", "418 Teapot"] {
        let sent = answer(status, &["Location: https://example.pe/"], "");
        assert_eq!(failure(sent).await, SourceErrorKind::Unreadable, "{status}");
    }
}

#[tokio::test]
async fn a_throttled_call_says_for_how_long() {
    let throttled = |seconds: Option<u64>| SourceErrorKind::Throttled { retry_after: seconds.map(Duration::from_secs) };
    let sent = |headers: &[&str]| answer("429 Slow down", headers, "not even JSON");
    assert_eq!(failure(sent(&[])).await, throttled(None));
    assert_eq!(failure(sent(&["Retry-After: 3600"])).await, throttled(Some(3600)));
    assert_eq!(failure(sent(&["Retry-After: soon"])).await, throttled(None));
    let in_a_minute = std::time::SystemTime::from(NOW) + Duration::from_secs(60);
    let date = format!("Retry-After: {}", httpdate::fmt_http_date(in_a_minute));
    // A date of HTTP has no fractions of a second; the clock has.
    let SourceErrorKind::Throttled { retry_after: Some(patience) } = failure(sent(&[&date])).await else {
        panic!("a date is understood")
    };
    assert_eq!(patience.as_secs_f64().ceil(), 60.0);
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused() {
    let record = body("decolecta_found");
    let blanks = |length: usize| [record.clone(), vec![b' '; length]].concat();
    assert_eq!(failure(answer("200 OK", &[], blanks(MAX_BODY))).await, SourceErrorKind::Unreadable);
    let encoded = answer("200 OK", &["Content-Encoding: gzip"], &record);
    assert_eq!(failure(encoded).await, SourceErrorKind::Unreadable);
}

#[tokio::test]
async fn a_body_that_breaks_off_is_no_answer() {
    let record = body("peruapi_found");
    let length = format!("Content-Length: {}", record.len());
    let short = answer("200 OK", &[&length], &record[..record.len() - 1]);
    assert_eq!(failure(short).await, SourceErrorKind::Unavailable);
    assert_eq!(failure(answer("200 OK", &[], &record[..record.len() - 3])).await, SourceErrorKind::Unreadable);
    assert_eq!(failure(b"not HTTP".to_vec()).await, SourceErrorKind::Unavailable);
    assert_eq!(failure(Vec::new()).await, SourceErrorKind::Unavailable);
}

#[tokio::test]
async fn a_refused_connection_is_unavailable_and_shows_no_secret() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}/{{ruc}}");
    let provider = provider(spec("apisperu"), Some(TOKEN), Some(url)).unwrap();
    let error = provider.detail(RUC.parse::<Ruc>().unwrap()).await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Unavailable);
    let told = format!("{error:?}");
    assert!(!told.contains(TOKEN) && !told.contains(RUC), "{told}");
}

#[test]
fn a_provider_that_cannot_work_is_refused_at_start() {
    let refused = |token: Option<&str>, url: Option<&str>| {
        provider(spec("decolecta"), token, url.map(str::to_owned)).err().unwrap().to_string()
    };
    assert!(refused(None, None).contains("needs a token"));
    assert!(refused(Some("two\nlines"), None).contains("cannot carry"));
    assert!(refused(Some(TOKEN), Some("https://a.pe/ruc")).contains("no {ruc}"));
    assert!(refused(Some(TOKEN), Some("a.pe/{ruc}")).contains("whole address"));
    // The RUC is in migo's body.
    provider(spec("migo"), Some(TOKEN), Some("https://a.pe/ruc".to_owned())).unwrap();
}
