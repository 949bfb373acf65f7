//! `GET /usage` and `GET /api/usage`: exact, free of charge, and only with a token.

use kuraka_sandbox::sample;
use serde_json::json;
use tokio::task::JoinSet;

use crate::app::{eventually, scene};

const PATHS: [&str; 2] = ["/usage", "/api/usage"];

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn usage_is_exact_and_free() {
    let (app, owner) = scene().plan(1_000, 1_000, 1_000).start_with_owner().await;
    let today = kuraka_app::calendar::today(crate::app::now());
    let (from, until) = kuraka_app::calendar::days_of(kuraka_app::calendar::period(crate::app::now()));
    assert!(from <= today && today <= until);
    for used in 0..5 {
        for path in PATHS {
            let answer = app.request("GET", path).token(&owner.token).send().await;
            let expected = json!({
                "plan": "free",
                "periodo": {"desde": from.to_string(), "hasta": until.to_string()},
                "consultas": {"limite": 1000, "usadas": used, "restantes": 1000 - used},
                "limite_por_segundo": 1000,
                "listas": {"rucs": 100, "comprobantes": 100},
                "seguimiento": 1000,
            });
            assert_eq!(answer.found(), expected, "{path}");
            assert!(answer.header("ratelimit").is_some() && answer.header("ratelimit-policy").is_some());
            assert_eq!(answer.header("x-source"), None);
        }
        app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lease_does_not_count_as_usage() {
    let (app, owner) = scene().plan(1_000_000, 100_000, 100_000).start_with_owner().await;
    let mut callers = JoinSet::new();
    for _ in 0..100 {
        callers.spawn(app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send());
    }
    callers.join_all().await.iter().for_each(|answer| drop(answer.found()));
    let told = app.request("GET", "/usage").token(&owner.token).send().await.found();
    assert_eq!(told["consultas"], json!({"limite": 1_000_000, "usadas": 100, "restantes": 999_900}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn usage_works_after_the_last_query() {
    let (app, owner) = scene().plan(2, 1_000, 1_000).start_with_owner().await;
    for _ in 0..2 {
        app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    }
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.refused("quota_exceeded");
    let told = app.request("GET", "/usage").token(&owner.token).send().await.found();
    assert_eq!(told["consultas"]["restantes"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn usage_needs_a_token_and_the_method_get() {
    let (app, owner) = scene().start_with_owner().await;
    for path in PATHS {
        app.request("GET", path).send().await.refused("unauthenticated");
        let answer = app.post(path).token(&owner.token).json("{}").send().await;
        answer.refused("method_not_allowed");
        assert_eq!(answer.must("allow"), "GET");
    }
    app.sql("UPDATE account SET status = 'suspended'; UPDATE revision SET value = value + 1").await;
    eventually("the suspension is seen", async || {
        let answer = app.request("GET", "/usage").token(&owner.token).send().await;
        (answer.code() == "forbidden").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn calls_appear_in_the_daily_usage_within_seconds() {
    let (app, owner) = scene().start_with_owner().await;
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    app.post("/ruc").token(&owner.token).ruc(sample::ABSENT).send().await.refused("document_not_found");
    app.post("/cpe").token(&owner.token).json("{}").send().await.refused("invalid_input");
    eventually("the history has three rows", async || {
        let day = kuraka_domain::Date::MIN;
        let counts = kuraka_ports::DailyUsage::since(&*app.store, owner.account, day).await.unwrap();
        (counts.len() == 3 && counts.iter().all(|count| count.count == 1)).then_some(())
    })
    .await;
}
