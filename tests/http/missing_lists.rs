//! The flags of `/ruc` without their lists.

use kuraka_app::calendar;
use kuraka_registry::dataset::{BUENOS_CONTRIBUYENTES, PADRON, RETENCION};
use kuraka_sandbox::sample;
use serde_json::{Value, json};

use crate::app::{App, Owner, eventually, now, scene};
use crate::datasets::publish_sample;

/// Every operation with the eight fields of today, and its body.
fn asked() -> [(&'static str, Value); 5] {
    let ruc = json!({ "ruc": sample::COMPANY });
    [
        ("/ruc", ruc.clone()),
        ("/api/ruc", ruc.clone()),
        ("/ruc-ficha", ruc),
        ("/ruc-multiple", json!({ "rucs": [sample::COMPANY, "no es un RUC"] })),
        ("/ruc-busqueda", json!({ "nombre": "3M" })),
    ]
}

/// A server that has a padrón only, and is ready or not.
async fn start(enabled: &str) -> (App, Owner) {
    let app = scene().without_edition().set("datasets.enabled", enabled).start().await;
    publish_sample(&app, &PADRON);
    let owner = app.owner().await;
    eventually("the padrón answers", async || {
        let answer = app.post("/ruc-domicilio-fiscal").token(&owner.token).ruc(sample::COMPANY).send().await;
        (answer.status == 200).then_some(())
    })
    .await;
    (app, owner)
}

async fn used(app: &App, owner: &Owner) -> Value {
    app.request("GET", "/usage").token(&owner.token).send().await.found()["consultas"]["usadas"].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_enabled_list_that_is_missing_is_named_and_never_guessed() {
    let (app, owner) = start("all").await;
    for (list, next) in [(&RETENCION, "buenos_contribuyentes"), (&BUENOS_CONTRIBUYENTES, "")] {
        assert_eq!(app.admin("/readyz").send().await.status, 503, "{}", list.name);
        for (path, body) in asked() {
            let answer = app.post(path).token(&owner.token).json(body.to_string()).send().await;
            let message = answer.refused("upstream_unavailable");
            assert!(message.contains(list.name) && message.contains("importarlo"), "{path}: {message}");
            assert_eq!(answer.must("retry-after"), "300", "{path}");
        }
        let used = used(&app, &owner).await;
        let body = json!({ "rucs": [sample::COMPANY, sample::COMPANY] });
        app.post("/ruc-multiple")
            .token(&owner.token)
            .json(body.to_string())
            .send()
            .await
            .refused("upstream_unavailable");
        assert_eq!(self::used(&app, &owner).await, used, "a batch that is refused as a whole costs nothing");
        app.post("/ruc").token(&owner.token).ruc("20999999990").send().await.refused("document_not_found");
        let today = json!({ "rucs": [{ "ruc": sample::COMPANY, "fecha": calendar::today(now()) }] });
        let answer = app.post("/ruc-multiple").token(&owner.token).json(today.to_string()).send().await.json();
        assert_eq!(answer["data"]["resultados"][0]["data"]["es_buen_contribuyente"], Value::Null, "{answer}");
        publish_sample(&app, list);
        eventually("the list answers", async || {
            let answer = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
            let is_next = || !next.is_empty() && answer.json()["message"].to_string().contains(next);
            (answer.status == 200 || is_next()).then_some(())
        })
        .await;
    }
    assert_eq!(app.admin("/readyz").send().await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_flag_of_a_list_that_is_not_enabled_is_empty() {
    let (app, owner) = start("padron").await;
    assert_eq!(app.admin("/readyz").send().await.status, 200);
    for (path, body) in asked() {
        let answer = app.post(path).token(&owner.token).json(body.to_string()).send().await;
        assert_eq!(answer.status, 200, "{path}");
        let data = &answer.json()["data"];
        let record = data["resultados"].get(0).map_or(data, |item| item.get("data").unwrap_or(item));
        let flags = [&record["es_agente_de_retencion"], &record["es_buen_contribuyente"]];
        assert_eq!(flags, ["", ""], "{path}: {record}");
    }
    let body = json!({ "rucs": [sample::COMPANY] });
    let table =
        app.post("/ruc-multiple").token(&owner.token).header("Accept", "text/csv").json(body.to_string()).send().await;
    assert!(table.body.lines().nth(1).unwrap().ends_with(",LIMA,,"), "{}", table.body);
}
