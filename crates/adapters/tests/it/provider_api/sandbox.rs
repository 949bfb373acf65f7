//! Every preset against the sandbox, which renders the same files from the other side.

use std::collections::BTreeSet;
use std::sync::Arc;

use kuraka_adapters::http::{ClientLimits, client as limited};
use kuraka_adapters::sources::provider_api::{PRESETS, ProviderApi};
use kuraka_domain::{Ruc, RucKind, TaxpayerDetail};
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::fake::ManualClock;
use kuraka_ports::{Freshness, SourceErrorKind, TaxpayerSource};
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{ProviderShape, Target, Upstream};

use super::fixtures::spec;
use crate::faults::{self, classes};
use crate::http::{client, limits};

pub(super) async fn sandbox() -> Upstream {
    let shape = |name, text| ProviderShape::from_file(name, text).unwrap();
    let providers = PRESETS.iter().map(|preset| shape(preset.name, preset.text)).collect();
    Upstream::start(([127, 0, 0, 1], 0).into(), providers).await.unwrap()
}

pub(super) fn provider(upstream: &Upstream, name: &str, limits: ClientLimits) -> ProviderApi {
    // Gives the process its TLS provider.
    drop(client("Kuraka tests"));
    let client = limited("Kuraka tests", limits).unwrap();
    let url = upstream.provider_url(name);
    ProviderApi::new(name, spec(name), Some("token".into()), url, client, Arc::new(ManualClock::at(NOW))).unwrap()
}

/// What a provider says of a taxpayer, as long as it is an answer.
async fn record(provider: &ProviderApi, ruc: Ruc) -> Option<Arc<TaxpayerDetail>> {
    let answer = provider.detail(ruc).await.unwrap_or_else(|error| panic!("{}: {ruc}: {error:?}", provider.name()));
    assert_eq!(answer.freshness, Freshness::Sandbox);
    answer.taxpayer
}

#[tokio::test]
async fn every_provider_tells_the_same_of_a_taxpayer() {
    let upstream = sandbox().await;
    for ruc in [sample::COMPANY, sample::ON_BOTH_LISTS, sample::PERSON].map(|ruc| Ruc::parse(ruc).unwrap()) {
        let mut told = BTreeSet::new();
        for preset in PRESETS {
            let it = record(&provider(&upstream, preset.name, limits()), ruc).await.unwrap();
            assert_eq!(it.full_address.is_empty(), ruc.kind() != RucKind::LegalPerson, "{}", preset.name);
            told.insert((it.name.clone(), it.status.to_string(), it.condition.to_string(), it.full_address.clone()));
        }
        assert_eq!(told.len(), 1, "{told:?}");
    }
}

#[tokio::test]
async fn a_taxpayer_that_does_not_exist_is_absent_or_unreadable() {
    let upstream = sandbox().await;
    let absent = Ruc::parse(sample::ABSENT).unwrap();
    for preset in PRESETS {
        let answer = provider(&upstream, preset.name, limits()).detail(absent).await;
        match answer {
            Ok(answer) => assert_eq!(answer.taxpayer, None, "{}", preset.name),
            Err(error) => {
                assert_eq!(error.kind, SourceErrorKind::Unreadable, "{}", preset.name);
                assert!(!preset.text.contains("\nnot_found"), "{}", preset.name);
            }
        }
    }
}

/// What may become of a fault: a kind of failure, or `found` and `not_found`.
fn allowed(name: &str) -> &'static [&'static str] {
    match name {
        "sliced" | "utf-8-declared" | "utf-8-undeclared" | "utf-8-as-latin-1" => &["found"],
        // Harmless as long as there is nothing but ASCII in the record.
        "windows-1252-declared" | "windows-1252-as-utf-8" | "utf-8-twice" | "replaced" => &["found", "unreadable"],
        // For some providers the status is all there is to go by; what that is worth, a registry says.
        "not-found" | "status-404" => &["not_found", "unreadable"],
        "status-401" | "status-403" => &["credentials"],
        "status-500" | "status-502" | "status-503" | "status-504" => &["unavailable"],
        "throttled" | "throttled-seconds" | "throttled-date" => &["throttled"],
        "reset-before-head" | "reset-mid-body" | "no-status-line" | "cut-with-length" | "cut-chunked" | "huge-head"
        | "many-headers" | "two-lengths" | "not-http" | "no-head" => &["unavailable"],
        _ => &["unreadable"],
    }
}

#[tokio::test]
async fn every_fault_is_an_error_of_its_kind_or_harmless() {
    let upstream = sandbox().await;
    for preset in PRESETS {
        let provider = Arc::new(provider(&upstream, preset.name, limits()));
        let (target, ruc) = (Target::provider(preset.name), Ruc::parse(sample::COMPANY).unwrap());
        for (name, class) in classes(&upstream, &target, || Arc::clone(&provider), ruc).await {
            assert!(allowed(name).contains(&class), "{}: {name}: {class}", preset.name);
        }
    }
}

#[tokio::test]
async fn silence_is_unavailable() {
    let upstream = sandbox().await;
    let source = |limits| provider(&upstream, "migo", limits);
    faults::silence_is_unavailable(&upstream, &Target::provider("migo"), source).await;
}
