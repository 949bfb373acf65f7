//! `POST /ruc-ficha`, `/ruc-anexos` and `/ruc-ssco`: answers from the published files alone.

use kuraka_app::calendar;
use kuraka_domain::Date;
use kuraka_registry::dataset::{ALL, ANEXOS, RETENCION, SSCO};
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{Replacement, Target};
use kuraka_server::http::ENDPOINTS;
use serde_json::{Value, json};

use crate::app::{eventually, now, scene};
use crate::datasets::{publish_dated, truncate};
use crate::ruc::SUMMARY;
use crate::shared::shared;

/// The fields of the place, after those of `/ruc`.
const PLACE: [&str; 4] = ["ubigeo", "provincia", "distrito", "direccion_completa"];

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_ficha_begins_with_the_summary_and_the_place() {
    let (app, owner) = shared().await;
    for ruc in [sample::COMPANY, sample::ON_BOTH_LISTS, sample::PERSON] {
        let summary = app.post("/ruc").token(&owner.token).ruc(ruc).send().await;
        let answer = app.post("/ruc-ficha").token(&owner.token).ruc(ruc).send().await;
        let (record, ficha) = (summary.found(), answer.found());
        for field in SUMMARY {
            assert_eq!(ficha[field], record[field], "{field}");
        }
        let mut rest = answer.body.as_str();
        for field in SUMMARY.into_iter().chain(PLACE) {
            rest = rest.split_once(&format!("\"{field}\":")).expect(field).1;
        }
        assert_eq!(answer.must("x-registry-edition"), summary.must("x-registry-edition"));
        assert_eq!((answer.must("x-source"), answer.must("x-source-status")), ("registry", "sandbox"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_full_address_has_the_form_of_the_official_page() {
    let (app, owner) = shared().await;
    let address = async |path: &str, ruc: &str| {
        let record = app.post(path).token(&owner.token).ruc(ruc).send().await.found();
        record["direccion_completa"].as_str().unwrap().to_owned()
    };
    let places = |address: &str| address.rsplitn(4, " - ").take(3).map(str::to_owned).collect::<Vec<_>>();
    let [ficha, official] =
        [address("/ruc-ficha", sample::ON_BOTH_LISTS).await, address("/ruc-official", sample::ON_BOTH_LISTS).await];
    assert_eq!(places(&ficha), places(&official), "{ficha}");
    assert_eq!(places(&ficha), ["LA LIBERTAD", "TRUJILLO", "VICTOR LARCO HERRERA"]);
    for path in ["/ruc-ficha", "/ruc-official"] {
        assert_eq!(address(path, sample::PERSON).await, "", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_ficha_has_what_every_file_says() {
    let (app, owner) = shared().await;
    let ask = async |path: &str, ruc: &str| app.post(path).token(&owner.token).ruc(ruc).send().await.found();
    let ficha = ask("/ruc-ficha", sample::DESCRIBED).await;
    let annexes = ask("/ruc-anexos", sample::DESCRIBED).await;
    let annexes = annexes.as_array().unwrap();
    assert!(!annexes.is_empty());
    assert_eq!(ficha["anexos"]["total"], annexes.len());
    for annex in annexes {
        let of = |field: &str| annex[field].as_str().unwrap().to_owned();
        let parts = ["direccion", "distrito", "provincia", "departamento"].map(of);
        assert_eq!(of("direccion_completa"), parts.join(" - "));
        assert_eq!([of("codigo"), of("tipo_de_establecimiento"), of("actividad_economica")], ["", "", ""]);
    }
    assert!(ficha["datos_abiertos"]["tipo_contribuyente"].is_string(), "{ficha}");
    assert_eq!(ficha["padrones"].as_array().unwrap().len(), 2);
    let names: Vec<&str> = ficha["fuentes"].as_array().unwrap().iter().filter_map(|f| f["nombre"].as_str()).collect();
    // The sample may lack a piece of a dataset.
    let pieces: Vec<_> = sample::datasets().unwrap().into_iter().map(|piece| piece.dataset).collect();
    let missing: Vec<_> = ALL.iter().map(|dataset| dataset.name).filter(|name| !pieces.contains(name)).collect();
    assert_eq!((names, &ficha["no_disponibles"]), (pieces, &json!(missing)));

    let sanctioned = ask("/ruc-ficha", sample::SANCTIONED).await;
    let kinds: Vec<_> = sanctioned["sanciones"].as_array().unwrap().iter().map(|s| (&s["tipo"], &s["hasta"])).collect();
    assert!(kinds.iter().any(|(kind, until)| *kind == "DEFINITIVA" && until.is_null()), "{kinds:?}");
    assert!(kinds.iter().any(|(kind, until)| *kind == "TEMPORAL" && until.is_string()), "{kinds:?}");
    let incapacity = ask("/ruc-ssco", sample::SANCTIONED).await;
    assert_eq!(incapacity["ruc"], sample::SANCTIONED);
    assert!(incapacity["sin_capacidad_operativa"]["resolucion"].is_string());
    assert_eq!(sanctioned["sin_capacidad_operativa"], incapacity["sin_capacidad_operativa"]);

    // The header of these two says how old their own file is.
    for (path, dataset) in [("/ruc-anexos", "anexos"), ("/ruc-ssco", "ssco")] {
        let answer = app.post(path).token(&owner.token).ruc(sample::DESCRIBED).send().await;
        let files = ficha["fuentes"].as_array().unwrap();
        let file = files.iter().find(|file| file["nombre"] == dataset).unwrap();
        assert_eq!((answer.status, answer.must("x-registry-edition").into()), (200, file["edicion"].clone()), "{path}");
        let absent = app.post(path).token(&owner.token).ruc(sample::ABSENT).send().await;
        assert_eq!(absent.must("x-registry-edition"), files[0]["edicion"], "{path}: the padrón says so");
    }

    assert_eq!(ask("/ruc-anexos", sample::COMPANY).await, json!([]));
    assert_eq!(ask("/ruc-ssco", sample::COMPANY).await["sin_capacidad_operativa"], json!(null));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_damaged_list_stops_only_the_answers_with_its_flag() {
    let upstream = crate::sandbox::sandbox().await;
    let (app, owner) = scene().with_datasets().official(&upstream).start_with_owner().await;
    let ask = async |path: &str, ruc: &str| app.post(path).token(&owner.token).ruc(ruc).send().await;
    truncate(&app, &RETENCION);
    eventually("the list is damaged", async || (ask("/ruc", sample::DESCRIBED).await.status == 503).then_some(()))
        .await;
    for path in ["/ruc", "/ruc-ficha"] {
        ask(path, sample::DESCRIBED).await.refused("upstream_unavailable");
    }
    for path in ["/ruc-anexos", "/ruc-ssco"] {
        ask(path, sample::DESCRIBED).await.found();
    }
    for path in ["/ruc", "/ruc-ficha", "/ruc-anexos", "/ruc-ssco", "/ruc-official"] {
        ask(path, sample::ABSENT).await.refused("document_not_found");
    }
    upstream.fault(&Target::Official, Replacement::Status(500), usize::MAX);
    let composed = ask("/ruc-official", sample::DESCRIBED).await;
    composed.found();
    assert_eq!(composed.must("x-source"), "open-data");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn annexes_and_capacity_beyond_their_age_are_unavailable() {
    let (app, owner) = scene().published(sample::PADRON, None).start_with_owner().await;
    let ask = async |path: &str, ruc: &str| app.post(path).token(&owner.token).ruc(ruc).send().await;
    for (path, dataset, field) in [("/ruc-anexos", &ANEXOS, "anexos"), ("/ruc-ssco", &SSCO, "sin_capacidad_operativa")]
    {
        let today = calendar::today(now()).days_since_epoch();
        let oldest = today - i32::try_from(dataset.max_age_days).unwrap();
        for (day, is_answered) in [(oldest - 1, false), (oldest, true)] {
            let date = Date::from_days_since_epoch(day).unwrap();
            publish_dated(&app, dataset, date);
            let answer = eventually("it is served", async || {
                let ficha = ask("/ruc-ficha", sample::DESCRIBED).await.found();
                let files = ficha["fuentes"].as_array().unwrap();
                let is_served =
                    files.iter().any(|file| file["nombre"] == dataset.name && file["fecha"] == date.to_string());
                assert!(!is_served || field != "anexos" || ficha[field]["total"].is_u64(), "of any age: {ficha}");
                if is_served { Some(ask(path, sample::DESCRIBED).await) } else { None }
            });
            let answer = answer.await;
            if is_answered {
                answer.found();
            } else {
                let message = answer.refused("upstream_unavailable");
                assert!(message.contains(dataset.name) && message.contains(" días"), "{message}");
                assert_eq!((answer.status, answer.must("retry-after")), (503, "300"));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_samples_of_the_playground_show_every_file() {
    let (app, owner) = shared().await;
    let mut answered = Vec::new();
    for operation in ENDPOINTS.map(|endpoint| endpoint.operation) {
        for sample in operation.playground.iter().flat_map(|playground| playground.samples) {
            if operation.path_parameter.is_some() {
                let path = format!("/{}", operation.name);
                let answer = app.post(&path).token(&owner.token).json(sample.body).send().await;
                answered.push((operation.name, sample.title, answer));
            }
        }
    }
    let of = |name: &str, title: &str| {
        let found = answered.iter().find(|(known, known_title, _)| (*known, *known_title) == (name, title));
        &found.unwrap_or_else(|| panic!("{name} {title}")).2
    };
    assert_ne!(of("ruc-anexos", "Con anexos").found(), json!([]));
    assert_eq!(of("ruc-anexos", "Una empresa").found(), json!([]));
    assert_ne!(of("ruc-ssco", "Con sanciones").found()["sin_capacidad_operativa"], json!(null));
    assert_ne!(of("ruc-ficha", "Con sanciones").found()["sanciones"], json!([]));
    assert_ne!(of("ruc-ficha", "Con anexos").found()["datos_abiertos"], json!(null));
    assert_eq!(of("ruc-official", "Sin fuentes").must("x-source"), "open-data");
    for operation in ENDPOINTS.map(|endpoint| endpoint.operation) {
        if operation.path_parameter == Some("ruc") {
            of(operation.name, "No existe").refused("document_not_found");
        }
    }
}

/// The value without what changes with every edition or dataset.
fn without_editions(mut data: Value) -> Value {
    for file in data.get_mut("fuentes").and_then(Value::as_array_mut).into_iter().flatten() {
        file.as_object_mut().unwrap().retain(|field, _| field == "nombre");
    }
    if let Some(missing) = data.get_mut("no_disponibles") {
        missing.take();
    }
    data
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_examples_of_the_documents_are_the_answers_of_the_sample() {
    let (app, owner) = shared().await;
    // The example of `/ruc-official` is an answer of the page. A history has the dates of its editions.
    let operations = ENDPOINTS.into_iter().map(|endpoint| endpoint.operation);
    for operation in
        operations.filter(|it| it.path_parameter.is_some() && !["ruc-official", "ruc-historial"].contains(&it.name))
    {
        let path = format!("/{}", operation.name);
        let answer = app.post(&path).token(&owner.token).json(operation.request.unwrap().example).send().await;
        let mut example: Value = serde_json::from_str(operation.response.example).unwrap();
        assert_eq!(without_editions(answer.found()), without_editions(example["data"].take()), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_their_files_annexes_and_operating_capacity_are_unavailable() {
    let (app, owner) = scene().start_with_owner().await;
    for (path, dataset) in [("/ruc-anexos", "\"anexos\""), ("/ruc-ssco", "\"ssco\"")] {
        let answer = app.post(path).token(&owner.token).ruc(sample::COMPANY).send().await;
        assert!(answer.refused("upstream_unavailable").contains(dataset), "{path}");
        assert_eq!(answer.must("retry-after"), "300");
    }
    let ficha = app.post("/ruc-ficha").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    for (field, dataset) in [
        ("anexos", "anexos"),
        ("datos_abiertos", "datos_abiertos"),
        ("sin_capacidad_operativa", "ssco"),
        ("sanciones", "sanciones"),
    ] {
        assert!(ficha["no_disponibles"].as_array().unwrap().contains(&dataset.into()), "{ficha}");
        assert!(ficha[field].is_null(), "{field}: {ficha}");
    }
}
