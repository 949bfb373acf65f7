//! Providers over the wire: what is sent, and what becomes of answers that are more than a body.

use std::net::TcpListener;
use std::sync::Arc;
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
use crate::script::{Answer, Server, answer, raw};

const TOKEN: &str = "s3cret-t0ken";
const RUC: &str = "20100119227";

/// The recorded answer of a case.
fn body(name: &str) -> Vec<u8> {
    cases().into_iter().find(|case| case.name == name).unwrap().response
}

fn provider(spec: ProviderSpec, token: Option<&str>, url: Option<String>) -> Result<ProviderApi, ProviderError> {
    let token = token.map(SecretString::from);
    ProviderApi::new("mine", spec, token, url, client("Kuraka tests"), Arc::new(ManualClock::at(NOW)))
}

/// Asks the provider `name` for 3M at a server that answers so.
async fn ask(name: &str, path: &str, sent: Answer) -> (Result<DetailAnswer, SourceError>, String) {
    let server = Server::start([sent]);
    let provider = provider(spec(name), Some(TOKEN), Some(format!("{}{path}", server.base))).unwrap();
    let answer = provider.detail(RUC.parse().unwrap()).await;
    (answer, server.asked().concat())
}

/// The kind of failure that an answer is for decolecta.
async fn failure(sent: Answer) -> SourceErrorKind {
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
    assert!(asked.starts_with(&format!("get /api/{RUC} http/1.1\r\n")), "{asked}");
    for header in ["x-api-key: s3cret-t0ken", "accept: application/json", "accept-encoding: identity"] {
        assert!(asked.contains(&format!("\r\n{header}\r\n")), "{asked}");
    }
}

#[tokio::test]
async fn an_absence_is_a_value_and_the_sandbox_is_recognised() {
    let sent = answer("404 Not Found", &["X-Source-Status: sandbox"], body("peruapi_not_found"));
    let answer = ask("peruapi", "/{ruc}", sent).await.0.unwrap();
    assert_eq!((answer.taxpayer, answer.freshness), (None, Freshness::Sandbox));
}

#[tokio::test]
async fn a_token_goes_where_the_file_says() {
    let nothing = || answer("500 Oops", &[], "");
    let (_, asked) = ask("apisperu", "/ruc/{ruc}?a=b", nothing()).await;
    assert!(asked.starts_with(&format!("get /ruc/{RUC}?a=b&token={TOKEN} http")), "{asked}");
    let (_, asked) = ask("decolecta", "/ruc?numero={ruc}", nothing()).await;
    assert!(asked.starts_with(&format!("get /ruc?numero={RUC} http")), "{asked}");
    assert!(asked.contains(&format!("authorization: bearer {TOKEN}\r\n")), "{asked}");
    let (_, asked) = ask("migo", "/api/v1/ruc", nothing()).await;
    assert!(asked.starts_with("post /api/v1/ruc http"), "{asked}");
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
    assert_eq!(failure(raw(b"not HTTP")).await, SourceErrorKind::Unavailable);
    assert_eq!(failure(raw(b"")).await, SourceErrorKind::Unavailable);
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
