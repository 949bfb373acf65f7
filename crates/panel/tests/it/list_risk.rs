//! What of a list counts as at risk, and how its own cells are kept.

use std::sync::Arc;

use kuraka_domain::OperatingIncapacity;
use kuraka_ports::{
    DatasetStatus, Edition, EditionOrigin, ListChange, MonthState, MonthlyHistory, MonthsRecord, TaxpayerHistory,
    Timeline,
};

use crate::list::{keep, looked_up, result};
use crate::sheet_history::{history, record};
use crate::taxpayers::{COMPANY, date, incapable, profile, ruc};
use crate::test_app::{EMAIL, TestApp, padron};

#[actix_web::test]
async fn a_voucher_of_an_issuer_without_operating_capacity_is_at_risk() {
    for (since, red) in [("2026-11-01", "1"), ("2026-11-02", "0")] {
        let app = TestApp::new().await;
        let known = Some(Some(OperatingIncapacity {
            resolution: String::new(),
            resolved: None,
            final_since: Some(date(since)),
        }));
        let issuer = profile(COMPANY, "ACTIVO", "HABIDO");
        app.publish([kuraka_domain::TaxpayerProfile { operating_incapacity: known, ..issuer }], &[], &[]);
        let mut owner = app.signed_in(EMAIL).await;
        let text = format!("ruc|tipo|serie|numero|fecha|total\n{COMPANY}|01|F001|1|01/11/2026|118.00\n");
        let (_, page) = looked_up(&mut owner, &text, &[("modo", "comprobantes")]).await;
        page.assert_contains(&format!("<b>{red}</b> en rojo"));
        if red == "1" {
            page.assert_all(["SIN CAPACIDAD OPERATIVA · ACTIVO · HABIDO", "<p class=\"headline\">S/ 118.00</p>"]);
        }
    }
}

#[actix_web::test]
async fn a_red_month_is_summed_apart_from_red_days() {
    let app = TestApp::new().await;
    let bad = incapable(profile("20999990038", "ACTIVO", "HABIDO"));
    app.publish([profile(COMPANY, "ACTIVO", "HABIDO"), bad], &[], &[]);
    let months = |condition: &str| {
        let state = MonthState { status: "ACTIVO".to_owned(), condition: condition.to_owned() };
        let months = MonthsRecord { first: date("2025-01-01"), last: date("2026-09-01"), missing: Vec::new() };
        let summary = profile(COMPANY, "ACTIVO", "HABIDO").summary;
        TaxpayerHistory {
            summaries: Timeline {
                record: record("padron", &["2026-11-20"]),
                states: [(0, Some(summary))].into_iter().collect(),
            },
            flags: Vec::new(),
            sanctions: Timeline::none(),
            months: Some(MonthlyHistory { record: Arc::new(months), changes: vec![(date("2025-01-01"), Some(state))] }),
        }
    };
    app.registry.record(ruc(COMPANY), months("NO HABIDO"));
    app.registry.record(ruc("20999990038"), months("HABIDO"));
    let mut owner = app.signed_in(EMAIL).await;
    let text = format!("RUC;Fecha;IGV;Total\n{COMPANY};05/08/2026;18.00;118.00\n20999990038;06/08/2026;1.80;11.80\n");
    let (_, page) = looked_up(&mut owner, &text, &[("modo", "fechas"), ("sin_dato", "mes")]).await;
    page.assert_all([
        "<b>2</b> en rojo",
        "<p class=\"headline\">S/ 11.80 (IGV S/ 1.80)</p>",
        "Según el mes publicado, que no dice el día, aparte: S/ 118.00 (IGV S/ 18.00)",
        "<span class=\"small muted\">según el mes</span>",
        "Qué hacer con los rojos: en la ficha",
    ]);
}

#[actix_web::test]
async fn what_a_taxpayer_is_today_stands_beside_its_month_and_alone_if_there_is_none() {
    let app = TestApp::new().await;
    app.publish([profile(COMPANY, "ACTIVO", "HABIDO")], &[], &[]);
    app.registry.record(ruc(COMPANY), history());
    let mut owner = app.signed_in(EMAIL).await;
    // The month of the second row was not read.
    let list = keep(&mut owner, &format!("RUC;Fecha\n{COMPANY};05/08/2026\n{COMPANY};05/10/2022\n")).await;
    let prices = owner.get(&list).await;
    prices.assert_all(["(0 consultas en total)", "(1 consulta en total)", "(2 consultas en total)"]);
    for (choice, cost) in [("omitir", 0), ("mes", 1), ("mes_y_hoy", 2)] {
        let before = app.used(EMAIL).await;
        result(&mut owner, &list, &[("modo", "fechas"), ("sin_dato", choice)]).await;
        assert_eq!(app.used(EMAIL).await - before, cost, "{choice}");
    }
    let page = owner.get(&list).await;
    let id = list.rsplit('/').next().unwrap();
    let link = format!("href=\"/panel/consultar/{COMPANY}?lista={id}\"");
    assert_eq!(page.body.matches(&link).count(), 2, "{}", page.body);
    assert_eq!(page.body.matches("<td data-label=\"Hoy\">ACTIVO · HABIDO</td>").count(), 2);
    page.assert_lacks("data-label=\"Padrones\">Según");
    let csv = owner.get(&format!("{list}.csv")).await.body;
    assert!(csv.lines().next().unwrap().contains(";Observaciones;Hoy;Nombre;"), "{csv}");
    assert_eq!(csv.matches(";ACTIVO · HABIDO;").count(), 2, "{csv}");
}

#[actix_web::test]
async fn amounts_without_an_answer_are_summed_apart() {
    let (_, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    let list = keep(&mut owner, &format!("RUC;Total\n{COMPANY};1.00\n12345678;20.00\nX-1;3.00\n")).await;
    let page = result(&mut owner, &list, &[("modo", "rucs")]).await;
    page.assert_all(["Ningún importe en rojo.", "Sin dato, aparte: S/ 23.00<"]);
}

#[actix_web::test]
async fn a_file_says_why_something_is_not_known_and_in_one_way() {
    let app = TestApp::new().await;
    let none = kuraka_domain::TaxpayerProfile { sanctions: None, lists: None, ..profile(COMPANY, "ACTIVO", "HABIDO") };
    app.publish([none], &["sanciones"], &[]);
    let mut owner = app.signed_in(EMAIL).await;
    let (list, _) = looked_up(&mut owner, COMPANY, &[("modo", "rucs")]).await;
    let csv = owner.get(&format!("{list}.csv")).await;
    csv.assert_all([
        "Contratar con el Estado: no se sabe. Este servicio no tiene la relación del OECE.",
        ";No se sabe;",
    ]);
    csv.assert_lacks("NO DISPONIBLE");
}

#[actix_web::test]
async fn lists_and_vouchers_of_demonstration_data_say_so() {
    let (app, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    let list = keep(&mut owner, COMPANY).await;
    let words = "Datos de demostración: no sirven como prueba.";
    owner.get(&list).await.assert_lacks(words);
    let known = padron().edition.unwrap();
    let edition = Some(Arc::new(Edition { origin: EditionOrigin::Sample, ..(*known).clone() }));
    app.set_datasets(&[DatasetStatus { edition, ..padron() }]);
    owner.get(&list).await.assert_contains(words);
    result(&mut owner, &list, &[("modo", "rucs")]).await.assert_contains(words);
    owner.get("/panel/comprobante").await.assert_contains(words);
}

#[actix_web::test]
async fn every_ruc_of_a_row_is_told() {
    let (_, mut owner) =
        TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO"), profile("20999990038", "ACTIVO", "NO HABIDO")])
            .await;
    let list = keep(&mut owner, &format!("{COMPANY};20999990038\n20999990062\n")).await;
    result(&mut owner, &list, &[("modo", "rucs")]).await;
    let csv = owner.get(&format!("{list}.csv")).await.body;
    let starts = [
        "\u{feff}Fila;Columna 1;Columna 2;RUC consultado;Resultado;Situación",
        "1;20100119227;20999990038;20999990038;Rojo;NO HABIDO · ACTIVO",
        "2;20999990062;;20999990062;Rojo;No existe",
        "1;20100119227;20999990038;20100119227;Conforme;ACTIVO · HABIDO",
    ];
    for (line, start) in csv.lines().zip(starts) {
        assert!(line.starts_with(start), "{csv}");
    }
    assert_eq!(csv.lines().count(), starts.len());
}

#[actix_web::test]
async fn eleven_digits_that_are_no_ruc_are_red_and_other_texts_are_not() {
    let (_, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    let cells = [
        COMPANY,
        COMPANY,
        COMPANY,
        COMPANY,
        "NO TIENE RU",
        "CE-12345678",
        "SIN NUMERO.",
        "20-10011922-8",
        "20100119228.0",
    ];
    let list = keep(&mut owner, &format!("RUC;Nota\n{}\n", cells.join(";x\n") + ";x")).await;
    let page = result(&mut owner, &list, &[("modo", "rucs")]).await;
    page.assert_all(["<b>2</b> en rojo", "<b>3</b> sin dato"]);
}

#[actix_web::test]
async fn a_voucher_whose_number_has_zeros_is_charged_once() {
    let (app, mut owner) = TestApp::owner().await;
    let text = format!(
        "ruc|tipo|serie|numero|fecha|total\n{COMPANY}|01|F001|1|01/11/2026|118.00\n{COMPANY}|1|f001|00001|2026-11-01|118\n"
    );
    let list = keep(&mut owner, &text).await;
    owner.get(&list).await.assert_contains("Consultar 1 comprobante (1 consulta)");
    result(&mut owner, &list, &[("modo", "comprobantes")]).await.assert_contains("<b>2</b> conformes");
    assert_eq!(app.used(EMAIL).await, 1);
}

#[actix_web::test]
async fn own_cells_keep_their_texts_and_signs_and_no_sum_is_wrong() {
    let (_, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "NO HABIDO")]).await;
    let rows = [
        "20100119227 - 3M PERU;(20.00);01/02/2023 texto",
        "20100119227;US$ 5.00;31/12/1899",
        "20100119227;1.185;04/09/2026",
        "20100119227;9999999999999999;25-10-26",
        "20100119227;999999999999.99;x",
        "20100119227;999999999999.99;x",
    ];
    let list = keep(&mut owner, &format!("RUC;Total;Nota\n{}\n", rows.join("\n"))).await;
    let page = result(&mut owner, &list, &[("modo", "rucs")]).await;
    page.assert_all([
        "<p class=\"headline\">S/ 1,999,999,999,981.17</p>",
        "<p class=\"headline\">USD 5.00</p>",
        "<p class=\"headline\">1 importe que no se pudo leer</p>",
    ]);
    let csv = owner.get(&format!("{list}.csv")).await.body;
    for own in [
        "2;20100119227 - 3M PERU;-20.00;01/02/2023 texto;",
        "3;20100119227;US$ 5.00;31/12/1899;",
        "4;20100119227;1.185;04/09/2026;",
        "5;20100119227;9999999999999999;25-10-26;",
    ] {
        assert!(csv.contains(&format!("\n{own}")), "{own}: {csv}");
    }
}

#[actix_web::test]
async fn a_copy_does_not_replace_its_original() {
    let (app, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    let (list, _) = looked_up(&mut owner, COMPANY, &[("modo", "rucs")]).await;
    let account = app.account(EMAIL).await.id;
    let mut others = Vec::new();
    for _ in 0..99 {
        others.push(app.panel.lists.keep(account, String::new(), Vec::new(), None).await.unwrap());
    }
    let copy = owner.submit(&list, &list, &[]).await.location().to_owned();
    owner.get(&list).await.assert_contains("<b>1</b> conforme<");
    let kept = app.panel.lists.store.lists(account).await.unwrap();
    assert!(kept.len() == 100 && kept.iter().any(|it| copy.ends_with(&it.id.to_string())));
    for kept in kept.iter().filter(|it| !list.ends_with(&it.id.to_string())) {
        let name = ListChange::Name { name: "x".to_owned(), note: String::new() };
        assert!(app.panel.lists.store.change_list(account, kept.id, &name).await.unwrap());
    }
    let refused = owner.submit(&list, &list, &[]).await;
    assert_eq!(refused.status, 422);
    refused.assert_contains("No cabe otra lista");
    owner.get(&list).await.assert_contains("<b>1</b> conforme<");
}

#[actix_web::test]
async fn a_list_that_is_checked_again_says_what_changed() {
    let app = TestApp::new().await;
    let publish = |states: [&str; 3]| {
        let rucs = [COMPANY, "20999990038", "20999990062"];
        app.publish(rucs.into_iter().zip(states).map(|(ruc, state)| profile(ruc, "ACTIVO", state)), &[], &[]);
    };
    publish(["HABIDO", "NO HABIDO", "HABIDO"]);
    let mut owner = app.signed_in(EMAIL).await;
    let (list, page) =
        looked_up(&mut owner, &format!("{COMPANY}\n20999990038\n20999990062"), &[("modo", "rucs")]).await;
    page.assert_lacks("Desde la consulta anterior");
    publish(["NO HALLADO", "HABIDO", "HABIDO"]);
    let page = result(&mut owner, &list, &[("modo", "rucs")]).await;
    page.assert_all(["cambio=empeoro#filas\">1 empeoró</a>", "cambio=mejoro#filas\">1 mejoró</a>"]);
    let worse = owner.get(&format!("{list}?cambio=empeoro")).await;
    assert!(worse.body.contains(COMPANY) && !worse.body.contains("20999990038"));
    assert_eq!(app.used(EMAIL).await, 6);
}
