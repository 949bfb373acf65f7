//! The page against the sandbox: every fault that it knows.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::http::{ClientLimits, client as limited};
use kuraka_adapters::sources::sunat_portal::{Config, SunatPortal, USER_AGENT};
use kuraka_domain::Ruc;
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::fake::ManualClock;
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{FaultCase, FaultTarget, Target, Upstream};
use reqwest::Client;

use super::pages::Case;
use crate::faults::{self, classes};
use crate::http::{client, limits};

pub(super) async fn sandbox() -> Upstream {
    Upstream::start(([127, 0, 0, 1], 0).into(), Vec::new()).await.unwrap()
}

/// A new one for each question: a refusal would hold the next one back.
pub(super) fn portal(upstream: &Upstream, limits: ClientLimits) -> SunatPortal {
    // Gives the process its TLS provider.
    drop(client(USER_AGENT));
    let config = Config::new(&upstream.official_url(), USER_AGENT, Duration::ZERO).unwrap();
    SunatPortal::new(config, limited(USER_AGENT, limits).unwrap(), Arc::new(ManualClock::at(NOW)))
}

/// The page of a taxpayer, as bytes.
async fn page(client: &Client, upstream: &Upstream, ruc: &str) -> Case {
    let form = format!("accion=consPorRuc&nroRuc={ruc}&contexto=ti-it&modo=1&token={}", "a".repeat(52));
    let request =
        client.post(upstream.official_url()).header("content-type", "application/x-www-form-urlencoded").body(form);
    let body = request.send().await.unwrap().bytes().await.unwrap();
    Case { name: ruc.to_owned(), ruc: Ruc::parse(ruc).unwrap(), body: body.to_vec(), content_type: None }
}

/// Pages of the sandbox: an invented company with every detail, a real one without any, and a natural person.
pub(super) async fn simulated() -> Vec<Case> {
    let upstream = sandbox().await;
    let mut pages = Vec::new();
    for ruc in [sample::ON_BOTH_LISTS, sample::COMPANY, sample::PERSON] {
        pages.push(page(&client(USER_AGENT), &upstream, ruc).await);
    }
    pages
}

#[tokio::test]
async fn every_taxpayer_of_the_sample_has_a_readable_page() {
    let upstream = sandbox().await;
    let client = client(USER_AGENT);
    // One has the outcome of a page that is down.
    let down = FaultCase::named("status-503").unwrap().ruc(FaultTarget::Both);
    let (mut pages, mut absent) = (0, 0);
    for line in sample::PADRON.split(|byte| *byte == b'\n') {
        let ruc = String::from_utf8_lossy(&line[..line.len().min(11)]).into_owned();
        let Some(ruc) = Ruc::parse(&ruc).ok().filter(|ruc| Some(*ruc) != down) else { continue };
        let case = page(&client, &upstream, &ruc.to_string()).await;
        match case.read(&case.body) {
            Ok(Some(_)) => pages += 1,
            // The importer rejects a few lines of the padrón on purpose.
            Ok(None) => absent += 1,
            Err(error) => panic!("{ruc}: {error}: {}", String::from_utf8_lossy(line)),
        }
    }
    assert!(pages > 300 && absent < 5, "{pages}, {absent}");
}

/// What becomes of a fault: a kind of failure, or `found` and `not_found`.
fn expected(name: &str) -> &'static str {
    match name {
        "sliced" | "windows-1252-declared" | "utf-8-declared" | "utf-8-undeclared" | "utf-8-as-latin-1" => "found",
        "not-found" => "not_found",
        "firewall" | "captcha" | "denied" | "status-401" | "status-403" => "refused",
        "throttled" | "throttled-seconds" | "throttled-date" => "throttled",
        "status-500" | "status-502" | "status-503" | "status-504" | "reset-before-head" | "reset-mid-body"
        | "no-status-line" | "cut-with-length" | "cut-chunked" | "huge-head" | "many-headers" | "two-lengths"
        | "not-http" | "no-head" => "unavailable",
        _ => "unreadable",
    }
}

#[tokio::test]
async fn every_fault_is_an_error_of_its_kind_or_harmless() {
    let upstream = sandbox().await;
    // One of the sample's invented companies, which has every detail.
    let ruc = Ruc::parse(sample::ON_BOTH_LISTS).unwrap();
    let source = || Arc::new(portal(&upstream, limits()));
    for (name, class) in classes(&upstream, &Target::Official, source, ruc).await {
        assert_eq!(class, expected(name), "{name}");
    }
}

#[tokio::test]
async fn silence_is_unavailable() {
    let upstream = sandbox().await;
    faults::silence_is_unavailable(&upstream, &Target::Official, |limits| portal(&upstream, limits)).await;
}
