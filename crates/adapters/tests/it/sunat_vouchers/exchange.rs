//! Exchanges with the sandbox: every voucher it knows, and every fault.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::http::{ClientLimits, client as limited};
use kuraka_adapters::sources::sunat_vouchers::{Config, SunatVouchers};
use kuraka_domain::VoucherStatus;
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::fake::ManualClock;
use kuraka_ports::{Freshness, SourceErrorKind, VoucherValidator};
use kuraka_sandbox::upstream::{CLIENT_SECRET, Coding, Delivery, Fault, FaultCase, Replacement, Target, VOUCHERS};
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::{House, credentials, voucher};
use crate::http::client;

#[tokio::test]
async fn every_known_voucher_is_answered() {
    let house = House::build().await;
    for known in VOUCHERS {
        let answer = house.ask(known).await;
        match (known.about, answer) {
            ("no status", Err(error)) => assert_eq!(error.kind, SourceErrorKind::Unavailable),
            ("rejected for its date", Err(error)) => {
                assert_eq!((error.kind, error.reason.as_deref()), (SourceErrorKind::Rejected, Some(known.said)));
            }
            (about, Ok(answer)) => {
                assert_eq!(answer.freshness, Freshness::Sandbox, "{about}");
                let expected: serde_json::Value = serde_json::from_str(known.said).unwrap();
                let expected = VoucherStatus::from_code(expected["estadoCp"].as_str().unwrap());
                assert_eq!(answer.validation.status, expected, "{about}");
            }
            (about, Err(error)) => panic!("{about}: {error:?}"),
        }
    }
}

/// A service whose client waits two seconds, which a busy machine may need.
async fn impatient() -> House {
    drop(client("Kuraka tests"));
    let wait = Duration::from_secs(2);
    let http = limited("Kuraka tests", ClientLimits { connect: wait, read: wait, total: wait }).unwrap();
    House::asking(http, [CLIENT_SECRET]).await
}

#[tokio::test]
async fn no_fault_of_the_service_causes_a_wrong_answer() {
    let mut trials = JoinSet::new();
    for target in [Target::Token, Target::Vouchers] {
        for outcome in FaultCase::ALL {
            trials.spawn(suffer(target.clone(), outcome));
        }
    }
    assert_eq!(trials.join_all().await.len(), 2 * FaultCase::ALL.len());
}

async fn suffer(target: Target, outcome: &FaultCase) {
    let house = impatient().await;
    house.upstream.fault(&target, outcome.fault, usize::MAX);
    // What is written or delivered in an odd way may still be read; nothing may be read as something else.
    let may_be_read = match outcome.fault {
        Fault::Coded(coding) => {
            !matches!(coding, Coding::GzipBomb(_) | Coding::GzipTruncated | Coding::GzipGarbage | Coding::Gzip)
        }
        // A token's answer is shorter than where it would be cut, and comes whole.
        Fault::Delivered(Delivery::Cut { .. }) => target == Target::Token,
        Fault::Delivered(delivery) => {
            matches!(delivery, Delivery::Sliced | Delivery::ManyHeaders | Delivery::SlowClose(_) | Delivery::Slow(_))
        }
        // A token has nothing to alter, and a voucher's answer names no taxpayer.
        Fault::Altered(_) => target == Target::Token || outcome.name == "other-ruc",
        Fault::Replaced(_) => false,
    };
    match house.ask(&VOUCHERS[0]).await {
        Ok(answer) => {
            assert!(may_be_read, "{target:?} {}: {answer:?}", outcome.name);
            assert_eq!(answer.validation.status, VoucherStatus::Accepted, "{target:?} {}", outcome.name);
        }
        Err(error) => {
            let invalid = target == Target::Vouchers && outcome.fault == Fault::Replaced(Replacement::Status(400));
            assert_eq!(error.kind == SourceErrorKind::Rejected, invalid, "{target:?} {}", outcome.name);
        }
    }
}

#[tokio::test]
async fn a_refused_connection_is_retried_once() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let config = Config::new(
        &format!("http://127.0.0.1:{port}/{{client_id}}"),
        &format!("http://127.0.0.1:{port}/{{ruc}}"),
        vec![credentials(CLIENT_SECRET)],
    );
    let clock = Arc::new(ManualClock::at(NOW));
    let service = SunatVouchers::new(config.unwrap(), client("Kuraka tests"), clock, Handle::current());
    let begun = Instant::now();
    let error = service.validate(voucher(&VOUCHERS[0])).await.unwrap_err();
    let took = begun.elapsed();
    assert_eq!(error.kind, SourceErrorKind::Unavailable);
    // Only the pause before the second attempt takes this long.
    assert!((Duration::from_millis(100)..Duration::from_secs(3)).contains(&took), "{took:?}");
}
