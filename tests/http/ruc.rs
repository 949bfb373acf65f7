//! `POST /ruc` and `POST /api/ruc`: records, absence and the source headers.

use kuraka_domain::Date;
use kuraka_sandbox::sample;
use serde_json::json;

use crate::app::{now, scene};
use crate::shared::shared;

/// The fields of `/ruc` in their order.
pub(crate) const SUMMARY: [&str; 8] = [
    "ruc",
    "nombre_o_razon_social",
    "estado",
    "condicion",
    "direccion",
    "departamento",
    "es_agente_de_retencion",
    "es_buen_contribuyente",
];

const PATHS: [&str; 2] = ["/ruc", "/api/ruc"];

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_company_has_its_eight_fields_in_order() {
    let (app, owner) = shared().await;
    for path in PATHS {
        let answer = app.post(path).token(&owner.token).ruc(sample::COMPANY).send().await;
        answer.found();
        let record = concat!(
            r#""data":{"ruc":"20100119227","nombre_o_razon_social":"3M PERU S A","estado":"ACTIVO","#,
            r#""condicion":"HABIDO","#,
            r#""direccion":"AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641 URB. EL PALOMAR","departamento":"LIMA","#,
            r#""es_agente_de_retencion":"SI","es_buen_contribuyente":"NO""#
        );
        // At the legacy base the original's fields follow.
        let next = if path == "/ruc" { r#"},"time":"# } else { r#","direccion_completa":"# };
        assert!(answer.body.contains(&format!("{record}{next}")), "{path}: {}", answer.body);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_person_has_no_address() {
    let (app, owner) = shared().await;
    let data = app.post("/ruc").token(&owner.token).ruc(sample::PERSON).send().await.found();
    let expected = json!({
        "ruc": sample::PERSON,
        "nombre_o_razon_social": "VILCA CONDORI WILBER",
        "estado": "ACTIVO",
        "condicion": "HABIDO",
        "direccion": "",
        "departamento": "",
        "es_agente_de_retencion": "NO",
        "es_buen_contribuyente": "NO",
    });
    assert_eq!(data, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_unknown_ruc_and_a_rejected_row_are_not_found() {
    let (app, owner) = shared().await;
    for path in PATHS {
        for ruc in [sample::ABSENT, sample::REJECTED_CUT_SHORT] {
            let answer = app.post(path).token(&owner.token).ruc(ruc).send().await;
            assert_eq!(answer.refused("document_not_found"), "El RUC no existe.");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn answers_name_the_edition_and_mark_the_sample() {
    let today = kuraka_app::calendar::today(now());
    for (scene, status) in [(scene(), "sandbox"), (scene().published(sample::PADRON, Some(today)), "live")] {
        let (app, owner) = scene.start_with_owner().await;
        for ruc in [sample::COMPANY, sample::ABSENT] {
            let answer = app.post("/ruc").token(&owner.token).ruc(ruc).send().await;
            assert_eq!((answer.must("x-source"), answer.must("x-source-status")), ("registry", status));
            let (date, hash) = answer.must("x-registry-edition").split_at(11);
            assert_eq!(Date::parse(date.strip_suffix('-').unwrap()), Ok(today));
            assert!(hash.len() == 8 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')), "{hash}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn unknown_keys_are_ignored_and_escapes_unescaped() {
    let (app, owner) = shared().await;
    for body in [
        r#"{"ruc":"20100119227","ruc_emisor":1,"otro":{"a":[1,2]}}"#,
        r#" { "nada" : null , "ruc" : "20100119227" } "#,
        r#"{"\u0072uc":"2010011\u0039227"}"#,
        r#"{"RUC":"x","ruc":"20100119227"}"#,
    ] {
        assert_eq!(
            app.post("/ruc").token(&owner.token).json(body).send().await.found()["ruc"],
            "20100119227",
            "{body}"
        );
    }
}
