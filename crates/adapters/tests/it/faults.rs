//! Every fault of the sandbox, as a source of details meets it.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::http::ClientLimits;
use kuraka_domain::Ruc;
use kuraka_ports::{SourceErrorKind, TaxpayerSource};
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{Delivery, Fault, FaultCase, Target, Upstream};

use crate::http::limits;

/// Faults that last longer than a test should.
fn takes_long(fault: Fault) -> bool {
    use Delivery::{Drip, Hang, HangAfterHead, Late, Slow, SlowClose};
    matches!(fault, Fault::Delivered(Late(_) | Hang | HangAfterHead | Drip(_) | Slow(_) | SlowClose(_)))
}

/// What becomes of each fault of `target`: a kind of failure, or `found` and `not_found`. A record is the healthy one.
pub(crate) async fn classes<S: TaxpayerSource>(
    upstream: &Upstream,
    target: &Target,
    source: impl Fn() -> Arc<S>,
    ruc: Ruc,
) -> Vec<(&'static str, &'static str)> {
    let healthy = source().detail(ruc).await.unwrap().taxpayer;
    assert!(healthy.is_some());
    let mut classes = Vec::new();
    for outcome in FaultCase::ALL.iter().filter(|outcome| !takes_long(outcome.fault)) {
        upstream.fault(target, outcome.fault, 1);
        let class = match source().detail(ruc).await {
            Ok(answer) if answer.taxpayer.is_none() => "not_found",
            Ok(answer) => {
                assert_eq!(answer.taxpayer, healthy, "{target:?}: {}", outcome.name);
                "found"
            }
            Err(error) => error.kind.as_str(),
        };
        classes.push((outcome.name, class));
    }
    assert_eq!(source().detail(ruc).await.unwrap().taxpayer, healthy, "{target:?} heals");
    classes
}

/// Checks that a silent target is unavailable to an impatient client.
pub(crate) async fn silence_is_unavailable<S: TaxpayerSource>(
    upstream: &Upstream,
    target: &Target,
    source: impl Fn(ClientLimits) -> S,
) {
    let impatient = ClientLimits { total: Duration::from_millis(50), ..limits() };
    for name in ["hang", "hang-after-head", "drip"] {
        upstream.fault(target, FaultCase::named(name).unwrap().fault, 1);
        let error = source(impatient).detail(Ruc::parse(sample::COMPANY).unwrap()).await.unwrap_err();
        assert_eq!(error.kind, SourceErrorKind::Unavailable, "{name}");
    }
}
