//! What is out of reach, and what the caller is told: never that something does not exist.

use kuraka_adapters::store::SqliteStore;
use kuraka_domain::Date;
use kuraka_sandbox::sample;
use sqlx::Connection;
use tokio::time::Instant;

use crate::app::{eventually, scene};

const RENAME: &str = "ALTER TABLE usage RENAME TO usage_elsewhere";
const RENAME_BACK: &str = "ALTER TABLE usage_elsewhere RENAME TO usage";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_an_edition_nothing_is_known() {
    let app = scene().without_edition().start().await;
    let owner = app.owner().await;
    for ruc in [sample::COMPANY, sample::ABSENT] {
        let answer = app.post("/ruc").token(&owner.token).ruc(ruc).send().await;
        answer.refused("upstream_unavailable");
        assert!(answer.number("retry-after") >= 1);
        assert_eq!(answer.header("x-source"), None);
        assert!(answer.header("ratelimit").is_some());
    }
    // Bad input is told from good without any source.
    app.post("/ruc").token(&owner.token).ruc("1").send().await.refused("invalid_input");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_old_edition_still_finds_but_its_silence_means_nothing() {
    let long_ago = Date::new(2020, 1, 1).unwrap();
    let app = scene().published(sample::PADRON, Some(long_ago)).start().await;
    let owner = app.owner().await;
    let answer = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    answer.found();
    assert!(answer.must("x-registry-edition").starts_with("2020-01-01-"));
    app.post("/ruc").token(&owner.token).ruc(sample::ABSENT).send().await.refused("upstream_unavailable");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_the_ledger_nobody_is_charged_and_all_is_well_once_it_is_back() {
    let app = scene().plan(1_000, 1_000, 1_000).start().await;
    let owner = app.owner().await;
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
async fn a_writer_who_does_not_let_go_makes_calls_wait_and_then_fail_uncharged() {
    let app = scene().plan(1_000, 1_000, 1_000).start().await;
    let owner = app.owner().await;
    let ask = async || app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    ask().await.found();
    let held = app.hold_writes().await;
    let began = Instant::now();
    let answer = ask().await;
    answer.refused("service_unavailable");
    assert!(began.elapsed() >= SqliteStore::BUSY_TIMEOUT, "{:?}", began.elapsed());
    held.close().await.unwrap();
    assert_eq!(app.used(&owner).await, 1);
    ask().await.found();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_the_tokens_a_stranger_is_not_called_unauthenticated() {
    let app = scene().start().await;
    let owner = app.owner().await;
    app.sql("ALTER TABLE token RENAME TO token_elsewhere").await;
    let answer = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    answer.refused("service_unavailable");
    assert_eq!(answer.header("www-authenticate"), None);
    // A malformed one is told from a good one without the store.
    app.post("/ruc").token("kur_x").ruc(sample::COMPANY).send().await.refused("unauthenticated");
    app.sql("ALTER TABLE token_elsewhere RENAME TO token").await;
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_plan_that_is_in_no_settings_is_our_error_and_shows_nothing_of_the_inside() {
    let app = scene().start().await;
    let owner = app.owner_under("forgotten").await;
    let answer = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    let message = answer.refused("internal_error");
    assert!(!message.contains("forgotten") && !message.contains("plan"), "{message}");
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn readiness_follows_the_store() {
    let app = scene().start().await;
    let ready = async || app.admin("/readyz").send().await;
    assert_eq!(ready().await.status, 200);
    app.sql("ALTER TABLE revision RENAME TO revision_elsewhere").await;
    let answer = eventually("not ready", async || Some(ready().await).filter(|answer| answer.status == 503)).await;
    assert_eq!((&answer.json()["ready"], &answer.json()["store"]), (&false.into(), &"out of reach".into()));
    app.sql("ALTER TABLE revision_elsewhere RENAME TO revision").await;
    eventually("ready again", async || Some(ready().await).filter(|answer| answer.status == 200)).await;
}
