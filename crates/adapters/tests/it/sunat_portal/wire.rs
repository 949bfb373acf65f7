//! The exchange over loopback: what is sent, and what becomes of an answer that is more than a page.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::sources::MAX_BODY;
use kuraka_adapters::sources::sunat_portal::{Config, SunatPortal};
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::fake::ManualClock;
use kuraka_ports::{DetailAnswer, DetailOrigin, Freshness, SourceError, SourceErrorKind, TaxpayerSource};

use super::pages::case;
use crate::http::client;
use crate::script::{Answer, Server, answer};

const USER_AGENT: &str = "Kuraka tests";

fn portal(url: &str) -> SunatPortal {
    let config = Config::new(url, USER_AGENT, Duration::ZERO).unwrap();
    SunatPortal::new(config, client("another name"), Arc::new(ManualClock::at(NOW)))
}

/// What an answer becomes when the page of the regional government is asked for, and what was asked.
async fn ask(sent: Answer) -> (Result<DetailAnswer, SourceError>, String) {
    let server = Server::start([sent]);
    let answer = portal(&server.url).detail(case("regional_government").ruc).await;
    (answer, server.asked().concat())
}

async fn failure(sent: Answer) -> SourceErrorKind {
    ask(sent).await.0.unwrap_err().kind
}

#[tokio::test]
async fn a_record_is_asked_for_with_one_post() {
    let page = case("regional_government");
    let (answer, asked) = ask(answer("200 OK", &["Set-Cookie: ITMRCONSRUCSESSION=a; path=/"], &page.body)).await;
    let answer = answer.unwrap();
    assert_eq!(answer.taxpayer.unwrap().name, "GOBIERNO REGIONAL LA LIBERTAD");
    assert_eq!((answer.origin, answer.freshness), (DetailOrigin::Official, Freshness::Live));

    let (head, form) = asked.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("post /padron.zip http/1.1\r\n"), "{head}");
    for header in
        ["user-agent: kuraka tests", "content-type: application/x-www-form-urlencoded", "accept-encoding: identity"]
    {
        assert!(head.contains(&format!("\r\n{header}")), "{head}");
    }
    let token = form.strip_prefix("accion=consPorRuc&nroRuc=20440374248&token=").unwrap();
    let token = token.strip_suffix("&modo=1").unwrap();
    assert_eq!(token.len(), 52);
    assert!(token.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase()), "{token}");
}

#[tokio::test]
async fn cookies_of_one_exchange_do_not_reach_the_next() {
    let page = case("regional_government");
    let sent = || answer("200 OK", &["Set-Cookie: ITMRCONSRUCSESSION=a; path=/"], &page.body);
    let server = Server::start([sent(), sent()]);
    let portal = portal(&server.url);
    for _ in 0..2 {
        portal.detail(page.ruc).await.unwrap();
    }
    let asked = server.asked();
    assert!(!asked.concat().contains("\r\ncookie:"), "{asked:?}");
    let tokens: Vec<_> = asked.iter().map(|asked| asked.split_once("token=").unwrap().1).collect();
    assert_ne!(tokens[0], tokens[1]);
}

#[tokio::test]
async fn an_absence_is_a_value_and_the_sandbox_is_recognised() {
    let page = case("not_found");
    let server = Server::start([answer("200 OK", &["X-Source-Status: sandbox"], &page.body)]);
    let answer = portal(&server.url).detail(page.ruc).await.unwrap();
    assert_eq!((answer.taxpayer, answer.freshness), (None, Freshness::Sandbox));
}

#[tokio::test]
async fn only_status_200_can_say_that_a_taxpayer_is_absent() {
    // Were it believed, each of these would be a record.
    let body = case("regional_government").body;
    for (status, kind) in [
        ("204 No Content", SourceErrorKind::Unreadable),
        ("302 Found", SourceErrorKind::Unreadable),
        ("400 Bad Request", SourceErrorKind::Unreadable),
        ("401 Unauthorized", SourceErrorKind::Refused),
        ("403 Forbidden", SourceErrorKind::Refused),
        ("404 Not Found", SourceErrorKind::Unreadable),
        ("410 Gone", SourceErrorKind::Unreadable),
        ("418 Teapot", SourceErrorKind::Unreadable),
        ("429 Too Many Requests", SourceErrorKind::Throttled { retry_after: None }),
        ("500 Oops", SourceErrorKind::Unavailable),
        ("503 Service Unavailable", SourceErrorKind::Unavailable),
    ] {
        assert_eq!(failure(answer(status, &[], &body)).await, kind, "{status}");
    }
    let patient = answer("429 Too Many Requests", &["Retry-After: 3600"], "");
    let hour = Some(Duration::from_secs(3_600));
    assert_eq!(failure(patient).await, SourceErrorKind::Throttled { retry_after: hour });
}

#[tokio::test]
async fn a_compressed_or_endless_body_is_refused() {
    let page = case("regional_government").body;
    let packed = answer("200 OK", &["Content-Encoding: gzip"], &page);
    assert_eq!(failure(packed).await, SourceErrorKind::Unreadable);
    let endless = answer("200 OK", &[], [page.as_slice(), &vec![b' '; MAX_BODY]].concat());
    assert_eq!(failure(endless).await, SourceErrorKind::Unreadable);
    let padded = answer("200 OK", &[], [page.as_slice(), &vec![b' '; MAX_BODY - page.len()]].concat());
    assert!(ask(padded).await.0.is_ok(), "exactly as long as is read");
}

#[tokio::test]
async fn a_closed_port_is_unavailable_and_the_error_names_no_ruc() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let error = portal(&url).detail(case("natural_person").ruc).await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Unavailable);
    assert!(!format!("{error} {error:?}").contains("10999990075"));
}

#[tokio::test]
async fn after_a_refusal_the_next_question_is_held_back() {
    let server = Server::start([answer("200 OK", &[], case("request_rejected").body)]);
    let portal = portal(&server.url);
    let ruc = case("regional_government").ruc;
    assert_eq!(portal.detail(ruc).await.unwrap_err().kind, SourceErrorKind::Refused);
    assert_eq!(portal.detail(ruc).await.unwrap_err().kind, SourceErrorKind::HeldBack);
    assert_eq!(server.asked().len(), 1);
}
