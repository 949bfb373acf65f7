//! Every fault of the sandbox, at the token endpoint and at the voucher service: the answer and how long it takes. `make
//! test` tries only the faults of delivery.
//!
//! A 200 always has the answer of a healthy service; a failure never makes a voucher valid, invalid or absent. Each row
//! has its own server and sandbox, so that no breaker knows about another row.

use std::sync::Arc;
use std::time::Duration;

use kuraka_sandbox::upstream::{Fault, FaultCase, Replacement, Target, VOUCHERS};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::app::{App, scene};
use crate::fault_matrix::{STARTING, outcomes};
use crate::load::{is_alone, slack};
use crate::reliability::{detail, figure};
use crate::sandbox::{claim, sandbox};

/// The maximum duration of a call, and the tolerance of the measurement without the slack.
const MAX_TIME: Duration = Duration::from_millis(8_000 + 250);
/// Faults of the service that still give the right answer.
const HARMLESS: [&str; 6] =
    ["late", "sliced", "utf-8-declared", "utf-8-undeclared", "utf-8-as-latin-1", "windows-1252-declared"];

struct Row {
    target: Target,
    outcome: &'static FaultCase,
    code: String,
    took: Duration,
    is_wrong: bool,
}

async fn row(target: Target, outcome: &'static FaultCase, of: Arc<Matrix>) -> Row {
    let starting = of.starting.acquire().await.unwrap();
    let upstream = sandbox().await;
    upstream.fault(&target, outcome.fault, usize::MAX);
    let mut app = scene().vouchers(&upstream).with_editions_of(&of.app).start().await;
    drop(starting);
    let owner = app.owner().await;
    let request = app.post("/cpe").token(&owner.token).json(claim(&VOUCHERS[1]).to_string());
    let begun = Instant::now();
    let answer = request.send().await;
    let took = begun.elapsed();
    let code = answer.code();
    let is_wrong = match code.as_str() {
        "found" => answer.found() != of.truth,
        "upstream_unavailable" => {
            answer.refused("upstream_unavailable");
            assert!((1..=300).contains(&answer.number("retry-after")), "{}: {answer:?}", outcome.name);
            assert_eq!(answer.header("x-source"), None);
            false
        }
        // The only rejection for which the service gives a reason.
        "invalid_input" => outcome.fault != Fault::Replaced(Replacement::Status(400)) || target != Target::Vouchers,
        _ => true,
    };
    app.stop().await;
    Row { target, outcome, code, took, is_wrong }
}

/// What the rows share.
struct Matrix {
    /// The answer of a healthy service.
    truth: Value,
    /// The server whose edition the others copy.
    app: App,
    starting: Semaphore,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn no_fault_causes_a_wrong_or_late_answer() {
    let upstream = sandbox().await;
    let (app, owner) = scene().vouchers(&upstream).start_with_owner().await;
    let body = claim(&VOUCHERS[1]).to_string();
    let truth = app.post("/cpe").token(&owner.token).json(body).send().await.found();
    assert_eq!(truth["comprobante_estado_codigo"], "1");
    let matrix = Arc::new(Matrix { truth, app, starting: Semaphore::new(STARTING) });

    let mut running = JoinSet::new();
    for outcome in outcomes().into_iter().filter(|it| is_alone() || matches!(it.fault, Fault::Delivered(_))) {
        for target in [Target::Token, Target::Vouchers] {
            running.spawn(row(target, outcome, Arc::clone(&matrix)));
        }
    }
    let mut rows = running.join_all().await;
    rows.sort_by_key(|row| (row.target == Target::Vouchers, row.outcome.number));
    for Row { target, outcome, code, took, .. } in &rows {
        detail(&format!("{target:?} | {} | {code} | {} ms", outcome.name, took.as_millis()));
    }
    for row in &rows {
        let name = format!("{:?} {} {}", row.target, row.outcome.name, row.code);
        assert!(!row.is_wrong, "{name}");
        assert!(row.took <= MAX_TIME + slack(), "{name}: {:?}", row.took);
        if HARMLESS.contains(&row.outcome.name) {
            assert_eq!(row.code, "found", "{name}");
        }
        if matches!(row.outcome.fault, Fault::Replaced(_)) && row.code != "invalid_input" {
            assert_eq!(row.code, "upstream_unavailable", "{name}");
        }
    }
    let count = |code: &str| rows.iter().filter(|row| row.code == code).count();
    figure(
        "U33",
        "faults at the token endpoint and at the voucher service",
        &format!(
            "{} calls: {} found, {} unavailable, {} called invalid, {} wrong; longest {} ms",
            rows.len(),
            count("found"),
            count("upstream_unavailable"),
            count("invalid_input"),
            rows.iter().filter(|row| row.is_wrong).count(),
            rows.iter().map(|row| row.took.as_millis()).max().unwrap(),
        ),
    );
}
