//! `POST /ruc-official` while no source of details answers: the open data answers for the taxpayers that it has.

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{Replacement, Target, Upstream};
use serde_json::json;

use crate::answer::Answer;
use crate::app::{App, Scene, scene};
use crate::sandbox::{PROVIDER, sandbox};

/// The page and a provider, with all datasets.
fn both(upstream: &Upstream) -> Scene {
    scene().with_datasets().official(upstream).provider(upstream, PROVIDER)
}

/// Both fail with this from now on.
fn down(upstream: &Upstream, instead: Replacement) {
    for target in [Target::Official, Target::provider(PROVIDER)] {
        upstream.fault(&target, instead, usize::MAX);
    }
}

async fn ask(app: &App, token: &str, ruc: &str) -> Answer {
    app.post("/ruc-official").token(token).ruc(ruc).send().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_open_data_answers_while_page_and_provider_are_down() {
    let upstream = sandbox().await;
    for instead in [Replacement::Status(500), Replacement::Status(403), Replacement::NotFound] {
        down(&upstream, instead);
        let (app, owner) = both(&upstream).start_with_owner().await;
        // More than the failures that open the breakers: an open breaker changes nothing.
        for _ in 0..8 {
            let answer = ask(&app, &owner.token, sample::DESCRIBED).await;
            let detail = answer.found();
            assert_eq!((answer.must("x-source"), answer.must("x-source-status")), ("open-data", "sandbox"));
            let ficha = app.post("/ruc-ficha").token(&owner.token).ruc(sample::DESCRIBED).send().await;
            let ficha = ficha.found();
            let sources = ficha["fuentes"].as_array().unwrap();
            let open_data = sources.iter().find(|source| source["nombre"] == "datos_abiertos").unwrap();
            assert_eq!(answer.must("x-registry-edition"), open_data["edicion"]);
            for field in ["ruc", "nombre_o_razon_social", "estado", "condicion", "direccion_completa"] {
                assert_eq!(detail[field], ficha[field], "{field}");
            }
            for field in [
                "tipo_contribuyente",
                "actividades_economicas",
                "sistema_emision",
                "sistema_contabilidad",
                "actividad_comercio_exterior",
            ] {
                assert_eq!(detail[field], ficha["datos_abiertos"][field], "{field}");
            }
            for field in ["fecha_inscripcion", "fecha_inicio_actividades", "fecha_baja"] {
                assert_eq!(detail[field], json!(null), "{field}");
            }
        }
        for ruc in [sample::COMPANY, sample::PERSON] {
            let answer = ask(&app, &owner.token, ruc).await;
            answer.refused("upstream_unavailable");
            assert_eq!(answer.header("x-source"), None, "{ruc} is not in the open data");
        }
        let metrics = app.admin("/metrics").send().await.body;
        assert!(metrics.contains("kuraka_open_data_answers_total 8"), "{metrics}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_open_data_answers_without_any_source_unless_it_is_switched_off() {
    let (app, owner) = scene().with_datasets().start_with_owner().await;
    let answer = ask(&app, &owner.token, sample::OPEN_DATA_ONLY).await;
    answer.found();
    assert_eq!(answer.must("x-source"), "open-data");
    let (app, owner) = scene().with_datasets().without_open_data().start_with_owner().await;
    let answer = ask(&app, &owner.token, sample::OPEN_DATA_ONLY).await;
    answer.refused("upstream_unavailable");
    assert!(answer.number("retry-after") >= 1);
}
