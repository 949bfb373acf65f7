//! Lists and limits: a list costs one query an item, all or none, and counts as one call.

use std::sync::atomic::{AtomicU64, Ordering};

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::VOUCHERS;
use serde_json::json;

use crate::app::{eventually, scene};
use crate::crowd::{BATCH, crowd_of};
use crate::reliability::figure;
use crate::replicas::servers;
use crate::ruc_multiple::batch;
use crate::sandbox::{claim, sandbox};

/// A plan whose blocks are larger than one query.
const PLAN: u64 = 10_000;
const BATCHES: u64 = PLAN / BATCH;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_list_that_the_plan_cannot_pay_costs_nothing() {
    let upstream = sandbox().await;
    let (app, owner) = scene().plan(10, 1_000, 1_000).vouchers(&upstream).start_with_owner().await;
    batch(&app, &owner, &[sample::COMPANY; 7]).send().await.found();
    for body in [json!({ "rucs": vec!["x"; 4] }), json!({ "comprobantes": [claim(&VOUCHERS[0]), "x", "y", "z"] })] {
        let path = if body.get("rucs").is_some() { "/ruc-multiple" } else { "/cpe-multiple" };
        let answer = app.post(path).token(&owner.token).json(body.to_string()).send().await;
        let message = answer.refused("quota_exceeded");
        let said = "La lista cuesta 4 consultas y a su plan le quedan 3 en este mes: no se descontó nada.";
        assert!(message.starts_with(said), "{message}");
        assert_eq!(answer.header("retry-after"), None);
        assert_eq!(app.used(&owner).await, 7);
    }
    assert_eq!(crate::sandbox::asked_about_vouchers(&upstream), [0, 0], "nothing was asked");
    batch(&app, &owner, &[sample::COMPANY; 2]).send().await.found();
    let message = batch(&app, &owner, &[sample::COMPANY; 2]).send().await.refused("quota_exceeded");
    assert!(message.starts_with("La lista cuesta 2 consultas y a su plan le queda 1 en este mes:"), "{message}");
    batch(&app, &owner, &[sample::COMPANY]).send().await.found();
    for (path, list) in [("/ruc-multiple", json!({"rucs": ["x"]})), ("/cpe-multiple", json!({"comprobantes": ["x"]}))] {
        let answer = app.post(path).token(&owner.token).json(list.to_string()).send().await;
        let message = answer.refused("quota_exceeded");
        assert!(message.starts_with("La lista cuesta 1 consulta y a su plan le quedan 0 en este mes:"), "{message}");
    }
    // A list that is not read costs one query, as any invalid call.
    app.post("/ruc-multiple").token(&owner.token).json("x").send().await.refused("quota_exceeded");
    assert_eq!(app.used(&owner).await, 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_list_counts_as_one_call() {
    let (app, owner) = scene().plan(1_000, 1, 2).start_with_owner().await;
    for left in [1, 0] {
        let answer = batch(&app, &owner, &[sample::COMPANY; 50]).send().await;
        answer.found();
        assert!(answer.must("ratelimit").contains(&format!("\"burst\";r={left};")), "{answer:?}");
    }
    batch(&app, &owner, &["x"]).send().await.refused("rate_limited");
    let metrics = app.admin("/metrics").send().await.body;
    for line in [
        r#"kuraka_answers_total{operation="ruc-multiple",code="found"} 2"#,
        r#"kuraka_queries_charged_total{operation="ruc-multiple"} 100"#,
    ] {
        assert!(metrics.contains(line), "{line}");
    }
    eventually("the day has one row", async || {
        let counts = kuraka_ports::DailyUsage::since(&*app.store, owner.account, kuraka_domain::Date::MIN);
        let counts = counts.await.unwrap();
        let found = counts.iter().find(|count| count.code.as_str() == "found");
        found.is_some_and(|count| count.operation == "ruc-multiple" && count.count == 2).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_servers_admit_whole_lists_and_never_more_than_the_plan() {
    let servers = servers(3, || scene().plan(PLAN, 1_000_000, 1_000_000)).await;
    let owner = servers[0].owner().await;
    let request = |app: &crate::app::App| batch(app, &owner, &[sample::COMPANY; BATCH as usize]);
    let found = AtomicU64::new(crowd_of(&servers, request, 100, 400).await.found);
    assert!(found.load(Ordering::Relaxed) <= BATCHES, "{found:?}");
    // What idle servers hold comes back, and is spent too.
    eventually("every whole list is admitted", async || {
        let more = crowd_of(&servers, request, 3, 3).await.found;
        (found.fetch_add(more, Ordering::Relaxed) + more == BATCHES).then_some(())
    })
    .await;
    eventually("the last leases are back", async || (servers[0].used(&owner).await == BATCHES * BATCH).then_some(()))
        .await;
    let tried = format!("100 clients, lists of {BATCH}, a plan of {PLAN}, three servers");
    figure("Q18", &tried, &format!("{BATCHES} answered, {} queries used", BATCHES * BATCH));
}
