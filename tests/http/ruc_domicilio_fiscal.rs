//! `POST /ruc-domicilio-fiscal`: a company's address in parts, and nothing about a person's.

use kuraka_registry::dataset::ANEXOS;
use kuraka_sandbox::sample;
use serde_json::json;

use crate::app::scene;
use crate::ruc_historial::{ago, publish_on};
use crate::shared::shared;

const FIELDS: [&str; 7] = ["ruc", "direccion", "direccion_completa", "departamento", "provincia", "distrito", "ubigeo"];

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_company_has_an_address_in_parts_as_in_its_ficha() {
    let (app, owner) = shared().await;
    for ruc in [sample::COMPANY, sample::ON_BOTH_LISTS, sample::DESCRIBED] {
        let answer = app.post("/ruc-domicilio-fiscal").token(&owner.token).ruc(ruc).send().await;
        let ficha = app.post("/ruc-ficha").token(&owner.token).ruc(ruc).send().await;
        let (address, record) = (answer.found(), ficha.found());
        let mut rest = answer.body.as_str();
        for field in FIELDS {
            assert_eq!(address[field], record[field], "{field}");
            assert_ne!(address[field], "", "{field}");
            rest = rest.split_once(&format!("\"{field}\":")).expect(field).1;
        }
        assert_eq!(address.as_object().unwrap().len(), FIELDS.len());
        assert_eq!(answer.must("x-registry-edition"), ficha.must("x-registry-edition"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_an_address_programs_get_no_places_either() {
    // In the padrón with a district, and made up with an annex.
    const WITHOUT_ADDRESS: &str = "20999990542";
    let (app, owner) = scene().published(sample::PADRON, None).start_with_owner().await;
    let header = ANEXOS.columns.iter().map(|column| column.header).collect::<Vec<_>>().join("|");
    let annexes = format!("{header}|\n{WITHOUT_ADDRESS}|150135|----|-|----|-|-|-|-|-|-|-|\n");
    publish_on(&app, &ANEXOS, ago(0), &annexes).await;
    let ask = async |path: &str| app.post(path).token(&owner.token).ruc(WITHOUT_ADDRESS).send().await.found();
    for path in ["/api/ruc", "/api/ruc-domicilio-fiscal", "/api/ruc-anexos"] {
        let found = ask(path).await;
        let record = found.get(0).unwrap_or(&found);
        for field in ["direccion", "direccion_completa", "departamento", "provincia", "distrito", "ubigeo_sunat"] {
            assert_eq!(record[field], "", "{path} {field}");
        }
        assert_eq!(record["ubigeo"], json!([null, null, null]), "{path}");
    }
    for path in ["/ruc", "/ruc-domicilio-fiscal"] {
        assert_eq!(ask(path).await["departamento"], "LIMA", "{path}: as the padrón has it");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_person_has_empty_texts_only() {
    // A file of years ago has the districts of persons.
    let line = format!("{}|PERSONA INVENTADA|ACTIVO|HABIDO|150117|AV.|LIMA|-|-|1|-|-|-|-|-|\n", "10999991004");
    let old = [sample::PADRON, line.as_bytes()].concat();
    let (app, owner) = scene().published(&old, None).start_with_owner().await;
    for ruc in [sample::PERSON, "10999991004"] {
        let address = app.post("/ruc-domicilio-fiscal").token(&owner.token).ruc(ruc).send().await.found();
        let mut expected = json!({"ruc": ruc});
        for field in &FIELDS[1..] {
            expected[*field] = json!("");
        }
        assert_eq!(address, expected);
    }
}
