//! The source keeps the port's promises, with the sandbox as the provider whose answers have every field.

use std::sync::Arc;

use kuraka_adapters::sources::provider_api::ProviderApi;
use kuraka_domain::Ruc;
use kuraka_ports::contract::taxpayer_source::Working;
use kuraka_ports::{DetailOrigin, SourceErrorKind};
use kuraka_sandbox::sample::ABSENT;
use kuraka_sandbox::upstream::{FaultCase, FaultTarget, Upstream};

use super::sandbox::{provider, sandbox};
use crate::http::limits;
use crate::sample_companies::companies;

kuraka_ports::contract!(taxpayer_source, ProviderApi, working().await);

async fn working() -> (Working<ProviderApi>, Upstream) {
    let sandbox = sandbox().await;
    let masked = FaultCase::named("masked").unwrap().ruc(FaultTarget::Providers).unwrap();
    let working = Working {
        source: Arc::new(provider(&sandbox, "apisperu", limits())),
        known: companies(),
        absent: Ruc::parse(ABSENT).unwrap(),
        failing: (masked, SourceErrorKind::Unreadable),
        origin: DetailOrigin::Provider,
    };
    (working, sandbox)
}
