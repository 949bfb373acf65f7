//! A server without data: it fetches every dataset by itself, from the publishers or from a builder.

use kuraka_sandbox::sample;
use serde_json::{Value, json};

use super::datasets::downloads;
use super::http::{get, lookup, post};
use super::program::{Home, Serving, eventually};
use super::publisher::Publisher;
use super::update::{sample_publisher, url_of, without_publishers};

/// A folder in which `kuraka serve` has the default settings of updates, for every dataset of the sample.
fn updating() -> Home {
    let home = Home::new().through(["env", "--unset=KURAKA__DATASETS__UPDATE_EVERY"]);
    home.with("KURAKA__DATASETS__ENABLED", &all().join(","))
}

/// The status of `/readyz`, and what it says about each dataset of the sample.
fn readiness(serving: &Serving) -> (u16, Vec<Value>) {
    let ready = get(serving.admin, "/readyz");
    let mut datasets = ready.json()["datasets"].as_array_mut().unwrap().split_off(0);
    datasets.retain(|dataset| all().iter().any(|name| dataset["name"] == *name));
    (ready.status, datasets)
}

/// Waits until every dataset is loaded and its update is noted, and returns what `/readyz` says about each.
async fn all_loaded(serving: &Serving) -> Vec<Value> {
    let loaded = || {
        let (status, datasets) = readiness(serving);
        let is_noted = |dataset: &Value| dataset["progress"].is_null() && !dataset["last_attempt"].is_null();
        let are_loaded = datasets.iter().all(|dataset| dataset["state"] == "loaded" && is_noted(dataset));
        (status == 200 && are_loaded).then_some(datasets)
    };
    eventually("every dataset is loaded", loaded).await.0
}

/// The names of the datasets in the sample, the padrón first.
fn all() -> Vec<&'static str> {
    sample::datasets().unwrap().into_iter().map(|piece| piece.dataset).collect()
}

fn names(datasets: &[Value]) -> Vec<&str> {
    datasets.iter().map(|dataset| dataset["name"].as_str().unwrap()).collect()
}

/// The datasets that have answered.
fn sources(ficha: &Value) -> Vec<&str> {
    ficha["fuentes"].as_array().unwrap().iter().map(|source| source["nombre"].as_str().unwrap()).collect()
}

fn data(serving: &Serving, token: &str, operation: &str, ruc: &str) -> Value {
    let answer = post(serving.api, operation, token, &json!({ "ruc": ruc }).to_string());
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.data()
}

#[tokio::test]
async fn a_server_in_an_empty_folder_fetches_all_nine_datasets_by_itself() {
    let publishers: Vec<_> = all().into_iter().map(|name| (name, sample_publisher(name))).collect();
    let home = publishers.iter().fold(updating(), |home, (name, publisher)| home.with(&url_of(name), &publisher.url));
    let size = sample::datasets().unwrap()[0].bytes.len();
    let (half, percent) = (size / 2, size / 2 * 100 / size);
    let resume = publishers[0].1.pause_after(half);
    let token = home.token("ana@example.pe");
    let mut serving = home.serve();

    eventually("half of the padrón is there", || {
        let (status, datasets) = readiness(&serving);
        assert_eq!(
            (status, &datasets[0]["name"], &datasets[0]["state"]),
            (503, &json!("padron"), &json!("never imported"))
        );
        (datasets[0]["progress"] == json!({"stage": "download", "percent": percent})).then_some(())
    })
    .await;
    let answer = lookup(serving.api, &token, sample::COMPANY).unwrap();
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("30")), "{answer:?}");
    let message = format!("Este servicio está preparando sus datos ({percent} %).");
    assert!(answer.body.contains("\"upstream_unavailable\"") && answer.body.contains(&message), "{answer:?}");
    assert!(get(serving.api, "/").body.contains(&format!("preparando los datos, {percent} %.")));
    assert_eq!(get(serving.api, "/docs").status, 200, "pages answer meanwhile");
    drop(resume);

    let line = serving.log("the dataset is updated");
    assert!(line.contains("\"dataset\":\"padron\"") && line.contains("\"rows\":555"), "{line}");
    let logged = serving.logs().join("\n");
    for part in
        ["the server fetches the datasets now", "updating the dataset", "\"percent\":25", "\"stage\":\"publication\""]
    {
        assert!(logged.contains(part), "{part}: {logged}");
    }
    let datasets = all_loaded(&serving).await;
    assert_eq!(names(&datasets), all());
    for dataset in &datasets {
        assert_eq!(dataset["last_attempt"]["outcome"], "published", "{dataset}");
        assert_eq!(dataset["last_attempt"]["edition"], dataset["edition"], "{dataset}");
    }
    assert_eq!(data(&serving, &token, "/ruc", sample::ON_BOTH_LISTS)["es_agente_de_retencion"], "SI");
    let ficha = data(&serving, &token, "/ruc-ficha", sample::DESCRIBED);
    assert_eq!((sources(&ficha), &ficha["anexos"]["total"]), (all(), &json!(3)), "{ficha}");
    for (name, publisher) in &publishers {
        assert_eq!((publisher.requests().len(), downloads(&home, name)), (1, Vec::new()), "{name}");
    }
    serving.stop();
}

#[tokio::test]
async fn the_address_of_a_builder_alone_gives_a_replica_all_nine_datasets() {
    let builder = Home::new();
    for piece in sample::datasets().unwrap() {
        builder.import_dataset(piece.dataset, piece.file_name, &piece.bytes);
    }
    let building = builder.serve();
    let built = readiness(&building).1;
    let publisher = Publisher::new("asked", b"no dataset", "\"v1\"");
    let replica = all().into_iter().fold(updating(), |home, name| home.with(&url_of(name), &publisher.url));
    let replica = replica.with("KURAKA__DATASETS__BUILDER_URL", &format!("http://{}/edition", building.admin));
    let token = replica.token("ana@example.pe");
    let serving = replica.serve();
    let fetched = all_loaded(&serving).await;
    assert_eq!(names(&fetched), all());
    for (built, fetched) in built.iter().zip(&fetched) {
        for field in ["name", "edition", "date", "rows", "age_days"] {
            assert_eq!(built[field], fetched[field], "{built}");
        }
        let name = fetched["name"].as_str().unwrap();
        assert_eq!(downloads(&replica, name), [""; 0]);
    }
    for (ruc, flags) in [(sample::ON_BOTH_LISTS, ["SI", "SI"]), (sample::COMPANY, ["SI", "NO"])] {
        let summary = data(&serving, &token, "/ruc", ruc);
        assert_eq!([&summary["es_agente_de_retencion"], &summary["es_buen_contribuyente"]], flags, "{summary}");
    }
    let ficha = data(&serving, &token, "/ruc-ficha", sample::DESCRIBED);
    assert_eq!(sources(&ficha), all(), "{ficha}");
    assert_eq!(publisher.requests(), [""; 0], "no publisher is asked");
    serving.stop();
    building.stop();
}

#[tokio::test]
async fn a_builder_without_an_edition_is_asked_again_after_seconds() {
    let builder = Home::new();
    let building = builder.serve();
    let replica = without_publishers()
        .with("KURAKA__DATASETS__ENABLED", "padron")
        .with("KURAKA__DATASETS__UPDATE_EVERY", "24h")
        .with("KURAKA__DATASETS__BUILDER_URL", &format!("http://{}/edition", building.admin));
    // A server that was restarted does not wait because of its last attempt.
    let mut serving = replica.serve();
    serving.log("the dataset could not be updated");
    serving.stop();
    let mut serving = replica.serve();
    let line = serving.log("the dataset could not be updated");
    assert!(line.contains("404"), "{line}");
    let piece = sample::datasets().unwrap().remove(0);
    let label = builder.import_dataset(piece.dataset, piece.file_name, &piece.bytes);
    let loaded = || readiness(&serving).1.iter().any(|dataset| dataset["edition"] == *label).then_some(());
    eventually("the edition of the builder is served", loaded).await;
    let log = serving.stop();
    assert_eq!(log.iter().filter(|line| line.contains("could not be updated") && line.contains("padron")).count(), 1);
    building.stop();
}

#[tokio::test]
async fn a_first_download_that_fails_says_what_to_do_in_log_and_landing_page() {
    let publisher = Publisher::new("padron", b"no padron", "\"v1\"");
    let home = without_publishers().with("KURAKA__DATASETS__UPDATE_EVERY", "24h");
    let mut serving = home.with(&url_of("padron"), &publisher.url).serve();
    let line = serving.log("there are no data yet");
    assert!(line.contains("kuraka doctor") && line.contains("kuraka dataset update"), "{line}");
    let told = || get(serving.api, "/").body.contains("ejecute kuraka doctor").then_some(());
    eventually("the page says it", told).await;
    serving.stop();
}
