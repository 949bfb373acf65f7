//! The source keeps the port's promises, with the sandbox as the page.

use std::sync::Arc;

use kuraka_adapters::sources::sunat_portal::SunatPortal;
use kuraka_domain::Ruc;
use kuraka_ports::contract::taxpayer_source::Working;
use kuraka_ports::{DetailOrigin, SourceErrorKind};
use kuraka_sandbox::sample::ABSENT;
use kuraka_sandbox::upstream::{FaultCase, FaultTarget, Upstream};

use super::sandbox::{portal, sandbox};
use crate::http::limits;
use crate::sample_companies::companies;

kuraka_ports::contract!(taxpayer_source, SunatPortal, working().await);

async fn working() -> (Working<SunatPortal>, Upstream) {
    let sandbox = sandbox().await;
    let masked = FaultCase::named("masked").unwrap().ruc(FaultTarget::Official).unwrap();
    let working = Working {
        source: Arc::new(portal(&sandbox, limits())),
        known: companies(),
        absent: Ruc::parse(ABSENT).unwrap(),
        failing: (masked, SourceErrorKind::Unreadable),
        origin: DetailOrigin::Official,
    };
    (working, sandbox)
}
