//! `GET /usage` and `GET /api/usage`: exact and free of charge.

use kuraka_sandbox::sample;
use serde_json::json;

use crate::app::{eventually, scene};

const PATHS: [&str; 2] = ["/usage", "/api/usage"];

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn usage_is_exact_and_free() {
    let (app, owner) = scene().plan(4, 1_000, 1_000).start_with_owner().await;
    let today = kuraka_app::calendar::today(crate::app::now());
    let (from, until) = kuraka_app::calendar::days_of(kuraka_app::calendar::period(crate::app::now()));
    assert!(from <= today && today <= until);
    for used in 0..5 {
        for path in PATHS {
            let answer = app.request("GET", path).token(&owner.token).send().await;
            let expected = json!({
                "plan": "free",
                "periodo": {"desde": from.to_string(), "hasta": until.to_string()},
                "consultas": {"limite": 4, "usadas": used, "restantes": 4 - used},
                "limite_por_segundo": 1000,
                "listas": {"rucs": 100, "comprobantes": 100},
                "seguimiento": 1000,
            });
            assert_eq!(answer.found(), expected, "{path}");
            assert!(answer.header("ratelimit").is_some() && answer.header("ratelimit-policy").is_some());
            assert_eq!(answer.header("x-source"), None);
        }
        let code = if used < 4 { "found" } else { "quota_exceeded" };
        assert_eq!(app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.code(), code);
    }
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
