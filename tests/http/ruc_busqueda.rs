//! `POST /ruc-busqueda` with the index of names: examples, pages across an edition swap, bad input.

use kuraka_app::calendar;
use kuraka_domain::Ruc;
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{Import, NoProgress, SourceFile, import};
use kuraka_sandbox::sample;
use serde_json::{Value, json};

use crate::app::{App, Owner, now, scene};
use crate::shared::shared;

async fn search(app: &App, owner: &Owner, body: &Value) -> Value {
    app.post("/ruc-busqueda").token(&owner.token).json(body.to_string()).send().await.found()
}

/// The RUCs of a page.
fn rucs(page: &Value) -> Vec<String> {
    let companies = page["resultados"].as_array().unwrap();
    companies.iter().map(|company| company["ruc"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_example_of_the_documents_is_the_answer_of_the_sample() {
    let (app, owner) = shared().await;
    let operation = kuraka_api::ruc_busqueda::OPERATION;
    let answer = app.post("/ruc-busqueda").token(&owner.token).json(operation.request.unwrap().example).send().await;
    let mut example: Value = serde_json::from_str(operation.response.example).unwrap();
    let data = answer.found();
    assert_eq!(data["edicion"], answer.must("x-registry-edition"));
    assert_eq!((answer.must("x-source"), answer.must("x-source-status")), ("registry", "sandbox"));
    example["data"]["edicion"] = data["edicion"].clone();
    assert_eq!(data, example["data"]);
    for sample in operation.playground.unwrap().samples {
        let found = search(app, &owner, &serde_json::from_str(sample.body).unwrap()).await;
        assert!(!rucs(&found).is_empty(), "{}", sample.title);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn nothing_found_is_an_empty_page_and_a_person_is_never_found() {
    let (app, owner) = shared().await;
    let person = app.post("/ruc").token(&owner.token).ruc(sample::PERSON).send().await.found();
    for name in [person["nombre_o_razon_social"].as_str().unwrap(), "nada de esto"] {
        let page = search(app, &owner, &json!({"nombre": name})).await;
        assert_eq!((&page["resultados"], &page["siguiente"]), (&json!([]), &json!(null)), "{name}");
    }
    assert_eq!(app.used(&owner).await, 3);
}

/// The lines of companies with this name in a padrón.
fn padron(companies: impl Iterator<Item = String>) -> Vec<u8> {
    let line = |ruc| format!("{ruc}|MOLINO INVENTADO S.A.C.|ACTIVO|HABIDO|150131|AV.|UNO|-|-|1|-|-|-|-|-|\n");
    [sample::PADRON.to_vec(), companies.map(line).collect::<String>().into_bytes()].concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_walk_across_an_edition_swap_repeats_and_loses_nothing() {
    let app = scene().published(&padron(inventions().filter(|(nth, _)| nth % 3 != 0).map(|(_, ruc)| ruc)), None);
    let (app, owner) = app.start_with_owner().await;
    let (mut found, mut body) = (Vec::new(), json!({"nombre": "molino inventado", "limite": 7}));
    let mut editions = Vec::new();
    loop {
        let page = search(&app, &owner, &body).await;
        found.extend(rucs(&page));
        if !editions.contains(&page["edicion"]) {
            editions.push(page["edicion"].clone());
        }
        if page["siguiente"].is_null() {
            break;
        }
        body["cursor"] = page["siguiente"].clone();
        if editions.len() == 1 {
            let file = app.registry_dir().join("padron.txt");
            std::fs::write(&file, padron(inventions().filter(|(nth, _)| nth % 3 != 1).map(|(_, ruc)| ruc))).unwrap();
            // More of the few rows vanish than a guard allows.
            let request = Import { force: true, ..Import::new(SourceFile::local(file), calendar::today(now())) };
            import(&app.registry_dir(), &PADRON, &request, &NoProgress).unwrap();
            app.refresh();
        }
    }
    let mut unique = found.clone();
    unique.sort();
    unique.dedup();
    assert_eq!((editions.len(), unique.len()), (2, found.len()), "nothing twice");
    // Those with nth % 3 == 2 are in both editions.
    let of_both: Vec<String> = inventions().filter(|(nth, _)| nth % 3 == 2).map(|(_, ruc)| ruc).collect();
    assert!(of_both.len() > 10 && of_both.iter().all(|ruc| found.contains(ruc)), "nothing is lost");
}

/// Numbers and RUCs of companies that the sample does not have.
fn inventions() -> impl Iterator<Item = (u32, String)> {
    let ruc = |nth| (0..10).map(move |digit| format!("20888{nth:05}{digit}"));
    (0..60).map(move |nth| (nth, ruc(nth).find(|ruc| Ruc::parse(ruc).is_ok()).unwrap()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_bad_field_is_named_with_what_is_allowed() {
    let (app, owner) = shared().await;
    let ask = async |body: &Value| app.post("/ruc-busqueda").token(&owner.token).json(body.to_string()).send().await;
    let named = |name: &str| json!({"nombre": name});
    let with = |field: &str, value: Value| json!({"nombre": "molinos", field: value});
    for (body, parts) in [
        (json!({}), &["nombre"][..]),
        (json!({"nombre": 12}), &["nombre", "texto"]),
        (named("m"), &["nombre", "2 a 100"]),
        (named(" m "), &["nombre", "letra"]),
        (named("&&"), &["nombre", "letras o dígitos"]),
        (named(&"a b ".repeat(20)), &["nombre", "10 palabras", "40"]),
        (named("molinos\u{7}"), &["nombre", "control"]),
        (json!({"nombre": "el valle", "modo": "contiene"}), &["nombre", "contiene", "3 caracteres", "EL"]),
        (with("modo", json!("exacto")), &["modo", "palabras, comienzo, contiene"]),
        (with("estado", json!("VIVO")), &["estado", "ACTIVO", "BAJA DE OFICIO"]),
        (with("condicion", json!("VIVO")), &["condicion", "HABIDO", "NO HALLADO"]),
        (with("departamento", json!("MIRAFLORES")), &["departamento", "AMAZONAS", "UCAYALI"]),
        (with("limite", json!(0)), &["limite", "1 a 50"]),
        (with("limite", json!(2.5)), &["limite", "1 a 50"]),
        (with("limite", json!(true)), &["limite", "número"]),
        (with("cursor", json!("x")), &["cursor", "dañado", "siguiente"]),
    ] {
        let message = ask(&body).await.refused("invalid_input");
        assert!(parts.iter().all(|part| message.contains(part)), "{body}: {message}");
    }
    // A cursor of another query, which the example of the documents is.
    let example: Value = serde_json::from_str(kuraka_api::ruc_busqueda::OPERATION.response.example).unwrap();
    let message = ask(&with("cursor", example["data"]["siguiente"].clone())).await.refused("invalid_input");
    assert!(message.contains("cursor") && message.contains("otra búsqueda"), "{message}");
    let large = app.post("/ruc-busqueda").token(&owner.token).json(with("x", json!("x".repeat(4_096))).to_string());
    assert!(large.send().await.refused("payload_too_large").contains("4 KiB"));
}
