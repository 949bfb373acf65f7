//! Numbers, days and times as pages show them.

use std::sync::Arc;

use kuraka_api::spanish::month;
use kuraka_app::ServiceReport;
use kuraka_ports::{DatasetStatus, Edition};

use crate::browser::Browser;
use crate::list::looked_up;
use crate::taxpayers::{COMPANY, profile};
use crate::test_app::{TestApp, padron};

#[actix_web::test]
async fn a_comma_separates_thousands() {
    let app = TestApp::new().await;
    for (rows, shown) in
        [(0, "0"), (999, "999"), (1_000, "1,000"), (18_000_000, "18,000,000"), (u64::MAX, "18,446,744,073,709,551,615")]
    {
        let edition = Edition { rows, ..Edition::clone(&padron().edition.unwrap()) };
        app.set_datasets(&[DatasetStatus { edition: Some(Arc::new(edition)), ..padron() }]);
        let page = Browser::new(&app).get("/").await;
        assert_eq!(page.between("<dt>Contribuyentes</dt><dd class=\"big\">", "<"), shown);
    }
}

#[actix_web::test]
async fn times_are_shown_in_the_time_zone_of_peru() {
    let app = TestApp::with_public_status().await;
    for (now, shown) in [
        ("2026-12-01T04:59:59Z", "(30 nov 2026, 23:59, hora del Perú)"),
        ("2026-12-01T05:00:00Z", "(1 dic 2026, 00:00, hora del Perú)"),
    ] {
        app.clock.set(now.parse().unwrap());
        app.panel.show_service(&ServiceReport::default(), &[]);
        Browser::new(&app).get("/estado").await.assert_contains(shown);
    }
}

#[actix_web::test]
async fn days_of_a_list_are_written_for_people_and_other_texts_as_they_are() {
    let (_, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    let days = ["5/10/2026", "24/10/2026", "2026-11-20", "2026-11-19", "2026-13-01", "E-2026-10-05", "a 2026-10-05."];
    let list = format!("RUC;Fecha\n{COMPANY};{}\n", days.join(&format!("\n{COMPANY};")));
    let (_, page) = looked_up(&mut owner, &list, &[("modo", "fechas"), ("sin_dato", "omitir")]).await;
    for shown in
        ["5 oct 2026", "24 oct 2026", "20 nov 2026", "19 nov 2026", "2026-13-01", "E-2026-10-05", "a 5 oct 2026."]
    {
        page.assert_contains(&format!("<span class=\"small muted number\">{COMPANY} · {shown}</span>"));
    }
}

#[test]
fn only_1_to_12_have_month_names() {
    assert_eq!((1..=12).filter(|number| !month(*number).is_empty()).count(), 12);
    assert_eq!((month(1), month(12), month(0), month(13)), ("enero", "diciembre", "", ""));
}
