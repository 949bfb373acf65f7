//! Many concurrent callers: the requests that the sources get, and the charges.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use kuraka_domain::Ruc;
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{Delivery, Target};
use serde_json::json;
use tokio::task::JoinSet;

use crate::app::{App, Owner, scene};
use crate::load::is_alone;
use crate::reliability::{figure, number};
use crate::sandbox::{PROVIDER, asked, sandbox};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_for_one_ruc_share_one_request() {
    const CALLERS: u64 = 1_000;
    let upstream = sandbox().await;
    // The source answers once all callers wait.
    let late = Delivery::Late(Duration::from_secs(2));
    upstream.fault(&Target::Official, late, 1);
    let mut app = scene().official(&upstream).provider(&upstream, PROVIDER).start().await;
    let owner = app.owner().await;
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let request = app.post("/ruc-official").token(&owner.token).ruc(sample::ON_BOTH_LISTS);
        // A store on a busy disk may refuse some calls before they wait.
        callers.spawn(async move {
            loop {
                let answer = request.clone().send().await;
                if answer.code() != "service_unavailable" {
                    break answer;
                }
            }
        });
    }
    let answers = callers.join_all().await;
    let first = answers[0].found();
    for answer in &answers {
        assert_eq!((answer.found(), answer.must("x-source")), (first.clone(), "official"));
    }
    assert_eq!(asked(&upstream, sample::ON_BOTH_LISTS), [1, 0]);
    app.stop().await;
    let used = app.used(&owner).await;
    assert_eq!(used, CALLERS);
    figure("L12", "1,000 calls at once for one RUC", &format!("1 question to the page, {used} charges"));
}

/// Some of the sample's RUCs with their names in the registry, but none without a condition, because a page without one
/// is rejected.
async fn names(app: &App, owner: &Owner, step: usize) -> Vec<(String, String)> {
    let rucs: BTreeSet<String> = sample::PADRON
        .split(|byte| *byte == b'\n')
        .filter_map(|line| String::from_utf8(line.get(..11)?.to_vec()).ok())
        .filter(|ruc| Ruc::parse(ruc).is_ok())
        .collect();
    assert!(rucs.len() > 500);
    let mut names = Vec::new();
    for ruc in rucs.into_iter().step_by(step) {
        let answer = app.post("/ruc").token(&owner.token).ruc(&ruc).send().await;
        if answer.status == 404 {
            continue;
        }
        let record = answer.found();
        // Neither the page nor the provider answers for this one.
        if record["condicion"] != "" && ruc != sample::OPEN_DATA_ONLY {
            names.push((ruc, record["nombre_o_razon_social"].as_str().unwrap().to_owned()));
        }
    }
    names
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_calls_each_get_their_own_record() {
    const CALLERS: usize = 8;
    let upstream = sandbox().await;
    let known = scene().start().await;
    let step = if is_alone() { 1 } else { 3 };
    let names = Arc::new(names(&known, &known.owner().await, step).await);
    let mut calls = 0;
    for _ in 0..number("CROSSINGS", 1) {
        // Each round has a new server, whose cache is empty.
        for world in [scene().official(&upstream), scene().provider(&upstream, PROVIDER)] {
            let app = Arc::new(world.with_editions_of(&known).start().await);
            let token = app.owner().await.token;
            let mut callers = JoinSet::new();
            for caller in 0..CALLERS {
                let (app, names, token) = (Arc::clone(&app), Arc::clone(&names), token.clone());
                callers.spawn(async move {
                    for (ruc, name) in names.iter().skip(caller).step_by(CALLERS) {
                        let record = app.post("/ruc-official").token(&token).ruc(ruc).send().await.found();
                        assert_eq!((&record["ruc"], &record["nombre_o_razon_social"]), (&json!(ruc), &json!(name)));
                    }
                });
            }
            callers.join_all().await;
            calls += names.len();
        }
    }
    figure("U23", "8 callers whose calls cross, names beside the registry's", &format!("{calls} calls, 0 mismatches"));
}
