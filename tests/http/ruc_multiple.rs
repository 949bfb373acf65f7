//! `POST /ruc-multiple`: each RUC is answered as a single call would answer it, all from one snapshot.

use std::collections::HashMap;

use kuraka_sandbox::sample;
use serde_json::{Value, json};

use crate::app::{App, Owner, scene};
use crate::request::Request;
use crate::shared::shared;

const PATHS: [&str; 2] = ["/ruc-multiple", "/api/ruc-multiple"];

/// A request for these RUCs.
pub(crate) fn batch(app: &App, owner: &Owner, rucs: &[impl AsRef<str>]) -> Request {
    let rucs: Vec<&str> = rucs.iter().map(AsRef::as_ref).collect();
    app.post("/ruc-multiple").token(&owner.token).json(json!({ "rucs": rucs }).to_string())
}

/// The RUCs of the sample.
fn sample_rucs() -> Vec<String> {
    let lines = sample::PADRON.split(|byte| *byte == b'\n').skip(1);
    let rucs = lines.filter_map(|line| line.get(..11)).map(|ruc| String::from_utf8(ruc.to_vec()).unwrap());
    rucs.filter(|ruc| kuraka_domain::Ruc::parse(ruc).is_ok()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn every_item_is_answered_in_order_with_its_own_code() {
    let (app, owner) = shared().await;
    let record = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    let edition = record.must("x-registry-edition");
    record.found();
    let (_, record) = record.body.split_once(r#""data":"#).unwrap();
    let (record, _) = record.split_once(r#","time""#).unwrap();
    let found = format!(r#"{{"ruc":"20100119227","code":"found","retryable":false,"data":{record}}}"#);
    let data = format!(
        r#""data":{{"edicion":"{edition}","total":4,"encontrados":2,"resultados":[{found},{{"ruc":"20999999990","code":"document_not_found","retryable":false,"message":"El RUC no existe."}},{{"ruc":"2010011922","code":"invalid_input","retryable":false,"message":"El RUC es incorrecto: debe tener 11 dígitos y tiene 10 caracteres."}},{found}]}},"time":"#
    );
    for path in PATHS {
        let body = json!({"rucs": [sample::COMPANY, sample::ABSENT, "2010011922", sample::COMPANY], "ficha": false});
        let answer = app.post(path).token(&owner.token).json(body.to_string()).send().await;
        answer.found();
        assert!(answer.body.contains(&data), "{}\n{data}", answer.body);
        assert_eq!((answer.must("x-source"), answer.must("x-source-status")), ("registry", "sandbox"));
        assert_eq!(answer.must("x-registry-edition"), edition);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_item_has_the_answer_of_a_single_call() {
    let (app, owner) = scene().with_datasets().batches(1_000, 100).start_with_owner().await;
    let mut rucs = sample_rucs();
    let wrong =
        [sample::ABSENT, sample::BAD_CHECK_DIGIT, "", "x", "２０１００１１９２２７", "\u{0}\"\\", " 20100119227"];
    rucs.extend(wrong.map(str::to_owned));
    let mut wire = app.connect().await;
    for (path, ficha) in [("/ruc", false), ("/ruc-ficha", true)] {
        let (mut single, mut files) = (HashMap::new(), None);
        for ruc in &rucs {
            let request = app.post(path).token(&owner.token).json(json!({ "ruc": ruc }).to_string());
            let mut answer = wire.ask(&request).await.json();
            let item = answer.as_object_mut().unwrap();
            item.remove("success");
            item.remove("time");
            if let Some(data) = item.get_mut("data").and_then(Value::as_object_mut) {
                files = Some([data.remove("fuentes"), data.remove("no_disponibles")]);
            }
            item.insert("ruc".to_owned(), json!(ruc));
            single.insert(ruc.clone(), answer);
        }
        let mut next = 7_u64;
        for length in [1, 2, 15, 16, 17, 63, 64, 65, 300, 1_000] {
            let mut pick = || {
                next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                &rucs[(next >> 33) as usize % rucs.len()]
            };
            let asked: Vec<&String> = (0..length).map(|_| pick()).collect();
            let body = json!({ "rucs": asked, "ficha": ficha });
            let data = wire.ask(&app.post(PATHS[0]).token(&owner.token).json(body.to_string())).await.found();
            let expected: Vec<&Value> = asked.iter().map(|ruc| &single[*ruc]).collect();
            assert_eq!(data["resultados"], json!(expected), "{path}, {length}");
            assert_eq!(data["total"], length);
            assert_eq!(data["encontrados"], expected.iter().filter(|item| item["code"] == "found").count());
            let [sources, missing] = files.clone().unwrap().map(|list| list.filter(|_| ficha).unwrap_or(Value::Null));
            assert_eq!((&data["fuentes"], &data["no_disponibles"]), (&sources, &missing));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_an_edition_the_whole_list_is_unavailable() {
    let (app, owner) = scene().plan(1_000, 1_000, 1_000).without_edition().start_with_owner().await;
    let single = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    let answer = batch(&app, &owner, &[sample::COMPANY, sample::ABSENT]).send().await;
    assert_eq!(answer.refused("upstream_unavailable"), single.refused("upstream_unavailable"));
    assert_eq!(answer.must("retry-after"), single.must("retry-after"));
    assert_eq!(app.used(&owner).await, 1 + 2, "each item costs what a single call costs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_alias_takes_a_form_and_only_a_post() {
    let (app, owner) = shared().await;
    let form = |path: &str, body: &str| {
        let request = app.post(path).token(&owner.token).header("Content-Type", "application/x-www-form-urlencoded");
        request.body(body).send()
    };
    assert!(form("/ruc_multiple", "rucs[]=20100119227&ficha=1").await.found()["fuentes"].is_array());
    for (body, message) in [
        ("rucs=20100119227", "El campo rucs debe ser una lista, no un texto."),
        ("rucs[]=1&ficha=si", "El campo ficha debe ser true o false."),
    ] {
        assert_eq!(form("/ruc_multiple", body).await.refused("invalid_input"), message, "{body}");
    }
    form("/ruc-multiple", "rucs[]=20100119227").await.refused("unsupported_media_type");
    let answer = app.request("GET", "/ruc-multiple").token(&owner.token).send().await;
    answer.refused("method_not_allowed");
    assert_eq!(answer.must("allow"), "POST");
}
