//! Many callers at once: what the sources see of them, and what they pay.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use kuraka_domain::Ruc;
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{Delivery, Target};
use serde_json::json;
use tokio::task::JoinSet;

use crate::app::{App, Owner, scene};
use crate::reliability::{figure, number};
use crate::stand_in::{PROVIDER, asked, stand_in};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_callers_of_one_ruc_are_one_question_and_a_thousand_charges() {
    const CALLERS: u64 = 1_000;
    let upstream = stand_in().await;
    // Held back until the crowd has come.
    let late = Delivery::Late(Duration::from_secs(2));
    upstream.fault(&Target::Official, late, 1);
    let mut app = scene().official(&upstream).provider(&upstream, PROVIDER).start().await;
    let owner = app.owner().await;
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        callers.spawn(app.post("/ruc-official").token(&owner.token).ruc(sample::ON_BOTH_LISTS).send());
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

/// The sample's RUCs with the name that the registry gives each. Those without a condition are left out: a page
/// without one is not believed.
async fn names(app: &App, owner: &Owner) -> Vec<(String, String)> {
    let rucs: BTreeSet<String> = sample::PADRON
        .split(|byte| *byte == b'\n')
        .filter_map(|line| String::from_utf8(line.get(..11)?.to_vec()).ok())
        .filter(|ruc| Ruc::parse(ruc).is_ok())
        .collect();
    let mut names = Vec::new();
    for ruc in rucs {
        let answer = app.post("/ruc").token(&owner.token).ruc(&ruc).send().await;
        if answer.status == 404 {
            continue;
        }
        let record = answer.found();
        if record["condicion"] != "" {
            names.push((ruc, record["nombre_o_razon_social"].as_str().unwrap().to_owned()));
        }
    }
    names
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_cross_get_each_its_own_record() {
    const CALLERS: usize = 8;
    let upstream = stand_in().await;
    let known = scene().start().await;
    let names = Arc::new(names(&known, &known.owner().await).await);
    assert!(names.len() > 500);
    let mut calls = 0;
    for _ in 0..number("CROSSINGS", 1) {
        // A server of its own each time: what one keeps, another has to ask for.
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
