//! Answers while an edition, a source or the store is out of reach. A failure is never reported as absence.

use kuraka_domain::Date;
use kuraka_sandbox::sample;

use crate::app::{eventually, scene};

const RENAME: &str = "ALTER TABLE usage RENAME TO usage_elsewhere";
const RENAME_BACK: &str = "ALTER TABLE usage_elsewhere RENAME TO usage";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_an_edition_a_lookup_is_unavailable() {
    let (app, owner) = scene().plan(1_000, 1_000, 1_000).without_edition().start_with_owner().await;
    for ruc in [sample::COMPANY, sample::ABSENT] {
        let answer = app.post("/ruc").token(&owner.token).ruc(ruc).send().await;
        answer.refused("upstream_unavailable");
        assert_eq!((answer.must("retry-after"), answer.header("x-source")), ("5", None));
        assert!(answer.header("ratelimit").is_some());
    }
    assert_eq!(app.used(&owner).await, 2);
    // The server rejects invalid input without a source.
    app.post("/ruc").token(&owner.token).ruc("1").send().await.refused("invalid_input");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_outdated_edition_finds_records_but_reports_no_absence() {
    let long_ago = Date::new(2020, 1, 1).unwrap();
    let (app, owner) = scene().published(sample::PADRON, Some(long_ago)).start_with_owner().await;
    let answer = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    answer.found();
    assert!(answer.must("x-registry-edition").starts_with("2020-01-01-"));
    let absent = app.post("/ruc").token(&owner.token).ruc(sample::ABSENT).send().await;
    let message = absent.refused("upstream_unavailable");
    assert!(message.contains("padrón") && message.contains(" días"), "{message}");
    assert_eq!(absent.must("retry-after"), "300", "only the operator can help");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_the_ledger_calls_fail_uncharged_until_it_is_back() {
    let (app, owner) = scene().plan(1_000, 1_000, 1_000).start_with_owner().await;
    let ask = async || app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    ask().await.found();
    app.sql(RENAME).await;
    let answer = ask().await;
    let message = answer.refused("service_unavailable");
    for inside in ["usage", "SQL", "sqlite", "table", "store"] {
        assert!(!message.contains(inside), "{message}");
    }
    assert_eq!(answer.number("retry-after"), 1);
    assert!(answer.header("ratelimit").is_some() && answer.header("ratelimit-policy").is_some());
    app.sql(RENAME_BACK).await;
    assert_eq!(app.used(&owner).await, 1);
    ask().await.found();
    assert_eq!(app.used(&owner).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_the_token_store_no_token_is_called_invalid() {
    let (app, owner) = scene().start_with_owner().await;
    app.sql("ALTER TABLE token RENAME TO token_elsewhere").await;
    let answer = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    answer.refused("service_unavailable");
    assert_eq!(answer.header("www-authenticate"), None);
    // The server rejects a malformed token without the store.
    app.post("/ruc").token("kur_x").ruc(sample::COMPANY).send().await.refused("unauthenticated");
    app.sql("ALTER TABLE token_elsewhere RENAME TO token").await;
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_unknown_plan_is_an_internal_error_without_details() {
    let app = scene().start().await;
    let owner = app.owner_under("forgotten").await;
    let answer = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    let message = answer.refused("internal_error");
    assert!(!message.contains("forgotten") && !message.contains("plan"), "{message}");
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn readiness_needs_the_store() {
    let app = scene().start().await;
    let ready = async || app.admin("/readyz").send().await;
    assert_eq!(ready().await.status, 200);
    app.sql("ALTER TABLE revision RENAME TO revision_elsewhere").await;
    let answer = eventually("not ready", async || Some(ready().await).filter(|answer| answer.status == 503)).await;
    assert_eq!((&answer.json()["ready"], &answer.json()["store"]), (&false.into(), &"out of reach".into()));
    app.sql("ALTER TABLE revision_elsewhere RENAME TO revision").await;
    eventually("ready again", async || Some(ready().await).filter(|answer| answer.status == 200)).await;
}
