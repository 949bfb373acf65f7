//! Sheets that are opened from a kept list: free for what its run was charged for, while the padrón is the same.

use std::sync::Arc;

use actix_web::http::StatusCode;
use kuraka_ports::{DatasetStatus, Edition};

use crate::browser::Browser;
use crate::list::{keep, result};
use crate::sheet_history::history;
use crate::taxpayers::{COMPANY, profile, ruc};
use crate::test_app::{EMAIL, TestApp, padron};

const OTHER: &str = "20999990038";

/// A list of one taxpayer that was looked up, and its link to the sheet.
async fn looked_up(owner: &mut Browser<'_>, text: &str, fields: &[(&str, &str)]) -> (String, String) {
    owner.app.publish([profile(COMPANY, "ACTIVO", "HABIDO"), profile(OTHER, "ACTIVO", "HABIDO")], &[], &[]);
    set_edition(owner.app, "2026-11-20-8c1f22ab");
    let list = keep(owner, text).await;
    let page = result(owner, &list, fields).await;
    (list, page.between("<th scope=\"row\"><a href=\"", "\"").replace("&amp;", "&"))
}

fn set_edition(app: &TestApp, label: &str) {
    let known = padron().edition.unwrap();
    let digest = Some("sha256".into());
    let edition = Some(Arc::new(Edition { label: label.into(), digest, ..(*known).clone() }));
    app.set_datasets(&[DatasetStatus { edition, ..padron() }]);
}

/// What a sheet is charged.
async fn queries(browser: &mut Browser<'_>, path: &str) -> u64 {
    let sheet = browser.follow(path).await;
    assert_eq!(sheet.status, StatusCode::OK);
    sheet.charged().unwrap().1
}

#[actix_web::test]
async fn the_sheet_of_a_taxpayer_that_a_run_paid_is_free_while_the_padron_is_the_same() {
    let (app, mut owner) = TestApp::owner().await;
    let (list, sheet) = looked_up(&mut owner, COMPANY, &[("modo", "rucs")]).await;
    let id = list.rsplit('/').next().unwrap();
    assert_eq!(sheet, format!("/panel/consultar/{COMPANY}?lista={id}"));
    app.use_queries_up_to(EMAIL, 1_000).await;
    assert_eq!(queries(&mut owner, &sheet).await, 0);
    set_edition(app, "2026-11-21-00000000");
    assert_eq!(owner.follow(&sheet).await.status, StatusCode::TOO_MANY_REQUESTS);
}

#[actix_web::test]
async fn another_taxpayer_list_or_owner_is_charged() {
    let app = TestApp::new().await;
    let (mut owner, mut other) = (app.signed_in(EMAIL).await, app.signed_in("luz@kuraka.example").await);
    let (_, sheet) = looked_up(&mut owner, COMPANY, &[("modo", "rucs")]).await;
    let unpaid = keep(&mut owner, OTHER).await;
    let unpaid = unpaid.rsplit('/').next().unwrap();
    for charged in [
        format!("/panel/consultar/{COMPANY}"),
        sheet.replace(COMPANY, OTHER),
        format!("/panel/consultar/{OTHER}?lista={unpaid}"),
        format!("/panel/consultar/{COMPANY}?lista=x"),
    ] {
        assert_eq!(queries(&mut owner, &charged).await, 1, "{charged}");
    }
    assert_eq!(queries(&mut other, &sheet).await, 1);
    assert_eq!(queries(&mut owner, &sheet).await, 0);
}

#[actix_web::test]
async fn a_day_that_was_not_charged_pays_no_sheet() {
    let (app, mut owner) = TestApp::owner().await;
    let text = format!("RUC;Fecha\n{COMPANY};1/1/2000\n");
    let (list, sheet) = looked_up(&mut owner, &text, &[("modo", "fechas"), ("sin_dato", "omitir")]).await;
    assert_eq!(sheet, format!("/panel/consultar/{COMPANY}?fecha=2000-01-01"));
    assert_eq!(app.used(EMAIL).await, 0);
    let id = list.rsplit('/').next().unwrap();
    assert_eq!(queries(&mut owner, &format!("/panel/consultar/{COMPANY}?lista={id}")).await, 1);
}

#[actix_web::test]
async fn a_row_names_an_edition_that_is_older_than_its_day() {
    let app = TestApp::new().await;
    app.publish([profile(COMPANY, "ACTIVO", "HABIDO")], &[], &[]);
    app.registry.record(ruc(COMPANY), history());
    let mut owner = app.signed_in(EMAIL).await;
    for (day, is_named) in [("17/11/2026", false), ("18/11/2026", true)] {
        let list = keep(&mut owner, &format!("RUC;Fecha\n{COMPANY};{day}\n")).await;
        let page = result(&mut owner, &list, &[("modo", "fechas")]).await;
        page.assert_contains("HABIDO · ACTIVO</span>");
        let edition = "<span class=\"small muted\">según el padrón del 15 nov 2026</span>";
        assert_eq!(page.body.contains(edition), is_named, "{}", page.body);
    }
}
