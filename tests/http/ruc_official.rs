//! `POST /ruc-official` and `POST /api/ruc-official`: records, absence and the source headers.

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{Target, Upstream};
use serde_json::json;

use crate::app::{Scene, scene};
use crate::sandbox::{PROVIDER, asked, sandbox, unmarked};

const PATHS: [&str; 2] = ["/ruc-official", "/api/ruc-official"];

/// An invented company for which the page shows every field.
const RECORD: &str = concat!(
    r#""data":{"ruc":"20999990062","nombre_o_razon_social":"MOLINOS DEL VALLE INVENTADO S.A.A.","#,
    r#""estado":"ACTIVO","condicion":"HABIDO","#,
    r#""direccion_completa":"CAR.INDUSTRIAL NRO. 055 INT. INT2 DPTO. 3B MZA. F LOTE. 10 KM. 21.5 Z.I. LA ESPERANZA"#,
    r#" - VICTOR LARCO HERRERA - TRUJILLO - LA LIBERTAD","tipo_contribuyente":"SOC.COM.RESPONS. LTDA","#,
    r#""fecha_inscripcion":"2001-03-15","actividades_economicas":["#,
    r#""ACTIVIDADES DE CONTABILIDAD, TENEDURÍA DE LIBROS Y AUDITORÍA; CONSULTORÍA FISCAL","#,
    r#""OTRAS ACTIVID.DE TIPO SERVICIO NCP","ACTIVIDADES DE LA ADMINISTRACIÓN PÚBLICA EN GENERAL"],"#,
    r#""nombre_comercial":"MOLINOS DEL","fecha_inicio_actividades":"2001-03-15","fecha_baja":null,"#,
    r#""sistema_emision":"MANUAL/COMPUTARIZADO","actividad_comercio_exterior":"EXPORTADOR","#,
    r#""sistema_contabilidad":"MANUAL/COMPUTARIZADO","actividades_economicas_detalle":["#,
    r#"{"tipo":"PRINCIPAL","ciiu":"6920","#,
    r#""descripcion":"ACTIVIDADES DE CONTABILIDAD, TENEDURÍA DE LIBROS Y AUDITORÍA; CONSULTORÍA FISCAL"},"#,
    r#"{"tipo":"SECUNDARIA","ciiu":"93098","descripcion":"OTRAS ACTIVID.DE TIPO SERVICIO NCP"},"#,
    r#"{"tipo":"SECUNDARIA","ciiu":"8411","descripcion":"ACTIVIDADES DE LA ADMINISTRACIÓN PÚBLICA EN GENERAL"}],"#,
    r#""comprobantes_autorizados":["NOTA DE CREDITO","GUIA DE REMISION - REMITENTE"],"emision_electronica":{"#,
    r#""sistemas":["DESDE LOS SISTEMAS DEL CONTRIBUYENTE. AUTORIZ DESDE 26/06/2021"],"desde":"2021-06-26","#,
    r#""comprobantes":["FACTURA (desde 26/06/2021)","BOLETA (desde 26/06/2021)"],"afiliado_ple_desde":"2021-06-26"},"#,
    r#""padrones":["#,
    r#""Incorporado al Régimen de Agentes de Retención de IGV (R.S.037-2002) a partir del 01/06/2002","#,
    r#""Incorporado al Régimen de Buenos Contribuyentes (R.I.0230011-2012) a partir del 01/02/2012"]"#,
);
/// An invented, deregistered company of the sample.
const DEREGISTERED: &str = "20999990330";

/// The page, with a provider as fallback.
fn both(upstream: &Upstream) -> Scene {
    scene().official(upstream).provider(upstream, PROVIDER)
}

fn told_by(answer: &crate::answer::Answer) -> (&str, &str) {
    assert_eq!(answer.header("x-registry-edition"), None);
    (answer.must("x-source"), answer.must("x-source-status"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_company_has_every_field_of_the_page_in_order() {
    let upstream = sandbox().await;
    let (app, owner) = both(&upstream).start_with_owner().await;
    for path in PATHS {
        let answer = app.post(path).token(&owner.token).ruc(sample::ON_BOTH_LISTS).send().await;
        answer.found();
        // At the legacy base the original's fields follow.
        let next = if path == "/ruc-official" { r#"},"time":"# } else { r#","direccion":"# };
        assert!(answer.body.contains(&format!("{RECORD}{next}")), "{path}: {}", answer.body);
        assert_eq!(told_by(&answer), ("official", "sandbox"));
    }
    assert_eq!(asked(&upstream, sample::ON_BOTH_LISTS), [1, 0], "the second answer is from the cache");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_person_has_no_address_and_a_deregistered_company_has_its_date() {
    let upstream = sandbox().await;
    for scene in [scene().official(&upstream), scene().provider(&upstream, PROVIDER)] {
        let (app, owner) = scene.start_with_owner().await;
        let ask = async |ruc| app.post("/ruc-official").token(&owner.token).ruc(ruc).send().await.found();
        let person = ask(sample::PERSON).await;
        assert_eq!((&person["direccion_completa"], &person["fecha_baja"]), (&json!(""), &json!(null)));
        assert_eq!(person["tipo_contribuyente"], "PERSONA NATURAL CON NEGOCIO");
        let company = ask(DEREGISTERED).await;
        assert_eq!((&company["estado"], &company["fecha_baja"]), (&json!("BAJA DEFINITIVA"), &json!("2022-06-22")));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_not_found_of_the_page_is_accepted_and_cached() {
    let upstream = sandbox().await;
    for scene in [both(&upstream), both(&upstream).without_edition()] {
        let before = asked(&upstream, sample::ABSENT);
        let (app, owner) = scene.start_with_owner().await;
        for path in PATHS {
            let answer = app.post(path).token(&owner.token).ruc(sample::ABSENT).send().await;
            assert_eq!(answer.refused("document_not_found"), "El RUC no existe.");
            assert_eq!(told_by(&answer), ("official", "sandbox"));
        }
        assert_eq!(asked(&upstream, sample::ABSENT), [before[0] + 1, before[1]]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn live_and_cached_answers_differ_in_a_header() {
    let upstream = sandbox().await;
    let (real, relaying) = unmarked(&upstream).await;
    let app =
        scene().official_at(&upstream.official_url().replace(&upstream.address().to_string(), &real)).start().await;
    let owner = app.owner().await;
    for ruc in [sample::COMPANY, sample::ABSENT] {
        for status in ["live", "cached", "cached"] {
            let answer = app.post("/ruc-official").token(&owner.token).ruc(ruc).send().await;
            assert_eq!(told_by(&answer), ("official", status), "{ruc}");
        }
    }
    relaying.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn invalid_input_is_rejected_without_a_request() {
    let upstream = sandbox().await;
    let (app, owner) = both(&upstream).start_with_owner().await;
    for path in PATHS {
        let answer = app.post(path).token(&owner.token).ruc(sample::BAD_CHECK_DIGIT).send().await;
        answer.refused("invalid_input");
        assert_eq!((answer.header("x-source"), answer.header("x-source-status")), (None, None));
    }
    let targets = [Target::Official, Target::provider(PROVIDER)];
    assert_eq!(targets.map(|target| upstream.requests_in_all(&target)), [0, 0]);
}
