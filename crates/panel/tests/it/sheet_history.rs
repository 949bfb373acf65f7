//! The past on a sheet: the day that is asked for, the changes and the months.

use std::sync::Arc;

use actix_web::http::StatusCode;
use kuraka_domain::{DomicileCondition, ResultCode, TaxpayerSummary};
use kuraka_ports::{ChangedDatum, DatasetRecord, MonthState, MonthlyHistory, MonthsRecord, TaxpayerHistory, Timeline};

use crate::browser::{Browser, Response};
use crate::taxpayers::{COMPANY, date, profile, ruc};
use crate::test_app::{TestApp, edition};

pub(crate) fn record(dataset: &'static str, days: &[&str]) -> &'static DatasetRecord {
    let edition = |day: &&str| edition(&format!("{day}-abcdef01"), 1);
    let editions = days.iter().map(edition).collect();
    Box::leak(Box::new(DatasetRecord { dataset, editions, begins_after_gap: false }))
}

/// A company that was NO HABIDO from 10 November until 15 November, and a withholding agent from 12 November on.
pub(crate) fn history() -> TaxpayerHistory<'static> {
    let found = TaxpayerSummary {
        withholding_agent: Some(false),
        condition: DomicileCondition::from_text("HABIDO"),
        ..profile(COMPANY, "ACTIVO", "HABIDO").summary
    };
    let lost = TaxpayerSummary { condition: DomicileCondition::from_text("NO HABIDO"), ..found.clone() };
    let padron = record("padron", &["2026-11-08", "2026-11-10", "2026-11-15", "2026-11-20"]);
    let state = |condition: &str| Some(MonthState { status: "ACTIVO".to_owned(), condition: condition.to_owned() });
    TaxpayerHistory {
        summaries: Timeline {
            record: padron,
            states: [(2, Some(found.clone())), (1, Some(lost)), (0, Some(found))].into_iter().collect(),
        },
        flags: vec![
            (
                ChangedDatum::List("retencion"),
                Timeline {
                    record: record("retencion", &["2026-11-11", "2026-11-12"]),
                    states: [(1, true), (0, false)].into_iter().collect(),
                },
            ),
            (ChangedDatum::Capacity, Timeline { record: record("ssco", &[]), ..Timeline::none() }),
        ],
        sanctions: Timeline::none(),
        months: Some(MonthlyHistory {
            record: Arc::new(MonthsRecord {
                first: date("2022-08-01"),
                last: date("2026-09-01"),
                missing: vec![date("2022-10-01")],
            }),
            changes: vec![(date("2024-03-01"), state("NO HALLADO")), (date("2022-08-01"), None)],
        }),
    }
}

async fn open(browser: &mut Browser<'_>, path: &str) -> Response {
    let response = browser.follow(path).await;
    assert_eq!((response.status, response.charged()), (StatusCode::OK, Some(("ruc-ficha", 1, ResultCode::Found))));
    response
}

async fn owner() -> (&'static TestApp, Browser<'static>) {
    let (app, owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    app.registry.record(ruc(COMPANY), history());
    (app, owner)
}

#[actix_web::test]
async fn a_sheet_has_a_timeline_and_the_months() {
    let (_, mut owner) = owner().await;
    let sheet = open(&mut owner, &format!("/panel/consultar/{COMPANY}")).await;
    sheet.assert_all([
        "La condición actual rige desde el 15 nov 2026; el estado, desde el 8 nov 2026 o antes. Cambió hace 5 días.",
        "<li class=\"bad\"><span class=\"when\">10 nov 2026</span><span class=\"stack\"><span>Condición: HABIDO → NO HABIDO</span></span></li>",
        "<li class=\"good\"><span class=\"when\">15 nov 2026</span>",
        "Entra en «Agentes de retención del IGV»",
        "<li class=\"warn\"><span class=\"when\">marzo de 2024</span><span class=\"stack\"><span>NO HALLADO · ACTIVO</span>",
        "agosto de 2022</span><span class=\"stack\"><span>No figura en el archivo de ese mes</span>",
        "de agosto de 2022 a septiembre de 2026. Falta un mes.",
        "type=\"date\" min=\"2026-11-08\"",
    ]);
}

#[actix_web::test]
async fn a_day_on_a_sheet_is_what_the_taxpayer_was_on_it() {
    let (_, mut owner) = owner().await;
    for (day, texts) in [
        (
            "2026-11-12",
            [
                "<section class=\"verdict bad\" aria-label=\"A primera vista\">",
                "<p class=\"headline\">NO HABIDO · ACTIVO</p>",
                "según el padrón del 10 nov 2026 (edición 2026-11-10-abcdef01)",
            ],
        ),
        (
            "12/11/2026",
            [
                "Era así desde el 10 nov 2026.",
                "Hoy: ACTIVO · HABIDO. Según el padrón del 19 nov 2026.",
                "<h3>NO HABIDO</h3>",
            ],
        ),
        ("2026-11-13", ["value=\"2026-11-13\"", "El 13 nov 2026", "En los padrones: Agentes de retención del IGV."]),
        (
            "2026-11-09",
            [
                "<section class=\"verdict good\" aria-label=",
                "<p class=\"headline\">ACTIVO · HABIDO</p>",
                "Este servicio no tiene la relación de ese día.",
            ],
        ),
        ("<b>", ["value=\"&#60;b&#62;\"", "La fecha debe ser un día", "Condición: HABIDO → NO HABIDO"]),
    ] {
        let path = format!("/panel/consultar/{COMPANY}?fecha={}", day.replace('<', "%3C").replace('>', "%3E"));
        let sheet = open(&mut owner, &path).await;
        texts.iter().for_each(|text| sheet.assert_contains(text));
    }
}

#[actix_web::test]
async fn a_day_that_is_not_covered_costs_nothing() {
    let (_, mut owner) = owner().await;
    let path = format!("/panel/consultar/{COMPANY}?fecha=7/11/2026");
    let response = owner.follow(&path).await;
    assert_eq!((response.status, response.call.is_none()), (StatusCode::BAD_REQUEST, true));
    response.assert_all([
        "<section class=\"verdict unsure\"",
        "El historial no cubre el 7 nov 2026. Cubre del 8 nov 2026",
        "No se descontó ninguna consulta.",
        "Ver la ficha de hoy (1 consulta)",
    ]);
    response.assert_lacks("ACTIVO");
}

#[actix_web::test]
async fn every_period_that_is_covered_is_written_for_people() {
    let (app, mut owner) = owner().await;
    let states = [(0, Some(profile(COMPANY, "ACTIVO", "HABIDO").summary))].into_iter().collect();
    let summaries = Timeline { record: record("padron", &["2026-10-24", "2026-11-18"]), states };
    app.registry.record(ruc(COMPANY), TaxpayerHistory { summaries, ..history() });
    let response = owner.follow(&format!("/panel/consultar/{COMPANY}?fecha=5/10/2026")).await;
    response.assert_contains(
        "El historial no cubre el 5 oct 2026. Cubre del 24 oct 2026 al 31 oct 2026, del 18 nov 2026 al 20 nov 2026.",
    );
}

#[actix_web::test]
async fn a_sheet_without_a_record_says_so() {
    let (app, mut owner) = owner().await;
    app.registry.drop_history();
    let sheet = open(&mut owner, &format!("/panel/consultar/{COMPANY}?fecha=2026-11-12")).await;
    sheet.assert_contains("Este servicio no puede leer su registro de cambios ahora.");
    sheet.assert_lacks("name=\"fecha\"");
}
