//! `POST /ruc-ficha`, `/ruc-anexos` and `/ruc-ssco`: answers from the published files alone.
//! `crates/server/tests/it/published_files.rs` has a registry in which every dataset has an edition.

use kuraka_domain::Date;
use kuraka_sandbox::sample;
use serde_json::Value;

use crate::app::scene;

const PATHS: [&str; 3] = ["/ruc-ficha", "/ruc-anexos", "/ruc-ssco"];

/// The fields of `/ruc`, in its order, and those of the place.
const FIRST: [&str; 12] = [
    "ruc",
    "nombre_o_razon_social",
    "estado",
    "condicion",
    "direccion",
    "departamento",
    "es_agente_de_retencion",
    "es_buen_contribuyente",
    "ubigeo",
    "provincia",
    "distrito",
    "direccion_completa",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_ficha_begins_with_the_summary_and_the_place() {
    let app = scene().start().await;
    let owner = app.owner().await;
    for ruc in [sample::COMPANY, sample::ON_BOTH_LISTS, sample::PERSON] {
        let summary = app.post("/ruc").token(&owner.token).ruc(ruc).send().await;
        let answer = app.post("/ruc-ficha").token(&owner.token).ruc(ruc).send().await;
        let (record, ficha) = (summary.found(), answer.found());
        for field in &FIRST[..8] {
            assert_eq!(ficha[*field], record[*field], "{field}");
        }
        let mut rest = answer.body.as_str();
        for field in FIRST {
            rest = rest.split_once(&format!("\"{field}\":")).expect(field).1;
        }
        assert_eq!(answer.must("x-registry-edition"), summary.must("x-registry-edition"));
        assert_eq!((answer.must("x-source"), answer.must("x-source-status")), ("registry", "sandbox"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_full_address_has_the_form_of_the_official_page() {
    let upstream = crate::sandbox::sandbox().await;
    let app = scene().official(&upstream).start().await;
    let owner = app.owner().await;
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
async fn an_unknown_ruc_does_not_exist_and_costs_a_query() {
    let app = scene().plan(1_000, 1_000, 1_000).start().await;
    let owner = app.owner().await;
    for (path, used) in PATHS.into_iter().zip(1..) {
        let answer = app.post(path).token(&owner.token).ruc(sample::ABSENT).send().await;
        assert_eq!(answer.refused("document_not_found"), "El RUC no existe.");
        assert_eq!(answer.must("x-source"), "registry");
        assert_eq!(app.used(&owner).await, used, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_a_fresh_padron_no_ruc_is_said_not_to_exist() {
    let long_ago = Date::new(2020, 1, 1).unwrap();
    for scene in [scene().without_edition(), scene().published(sample::PADRON, Some(long_ago))] {
        let app = scene.start().await;
        let owner = app.owner().await;
        for path in PATHS {
            let answer = app.post(path).token(&owner.token).ruc(sample::ABSENT).send().await;
            answer.refused("upstream_unavailable");
            assert_eq!((answer.must("retry-after"), answer.header("x-source")), ("5", None), "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_ficha_names_the_datasets_that_it_lacks() {
    let app = scene().start().await;
    let owner = app.owner().await;
    let ficha = app.post("/ruc-ficha").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    let missing: Vec<&str> = ficha["no_disponibles"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for (field, dataset) in [("anexos", "anexos"), ("sanciones", "sanciones")] {
        assert!(!missing.contains(&dataset) || ficha[field].is_null(), "{field}: {ficha}");
    }
}
