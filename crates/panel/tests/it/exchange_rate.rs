//! The page *Tipo de cambio*: today, a month, and the month as CSV.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::http::header::CONTENT_TYPE;
use kuraka_domain::{Date, DayRates};
use kuraka_ports::ExchangeRateRecord;

use crate::test_app::{TestApp, edition};

fn record() -> ExchangeRateRecord {
    let rates = |buy: &str, sell: &str| DayRates { buy: buy.parse().unwrap(), sell: sell.parse().unwrap() };
    let day = |text| Date::parse(text).unwrap();
    let closes = [(day("2026-11-18"), Some(rates("3.35", "3.361"))), (day("2026-11-19"), Some(rates("3.36", "3.369")))];
    let edition = edition("2026-11-19-0badc0de", 2);
    ExchangeRateRecord { edition: Arc::new(edition), published: BTreeMap::new(), closes: closes.into() }
}

#[actix_web::test]
async fn today_and_a_month_are_shown_and_downloaded_free_of_charge() {
    let (app, mut owner) = TestApp::owner().await;
    let response = owner.get("/panel/tipo-de-cambio").await;
    response.assert_contains("todavía no tiene el conjunto de datos");
    app.set_rates(record());
    let response = owner.get("/panel/tipo-de-cambio").await;
    response.assert_all([
        "<dd class=\"big\">3.360</dd>",
        "<dd class=\"big\">3.369</dd>",
        "noviembre de 2026",
        "19 nov 2026",
    ]);
    let response = owner.get("/panel/tipo-de-cambio.csv?mes=2026-11").await;
    assert_eq!(response.header(&CONTENT_TYPE), "text/csv; charset=utf-8");
    let lines: Vec<_> = response.body.lines().collect();
    assert_eq!(lines[1], "2026-11-19,2026-11-19,USD,3.350,3.361,2026-11-18,BCRP");
    let mut old = record();
    old.closes.remove(&Date::parse("2026-11-19").unwrap());
    app.set_rates(old.clone());
    let late = "llega hasta el 19 nov 2026. Vuelva a intentarlo más tarde.";
    owner.get("/panel/tipo-de-cambio").await.assert_contains(late);
    old.closes = [(Date::parse("2026-10-05").unwrap(), old.closes.into_values().next().unwrap())].into();
    app.set_rates(old);
    let response = owner.get("/panel/tipo-de-cambio").await;
    response.assert_contains("20 nov 2026 no se conoce: el registro de este servicio llega hasta el 6 oct 2026.<");
    app.set_rates(record());
    let response = owner.get("/panel/tipo-de-cambio?mes=2026-10").await;
    response.assert_contains("no cubre el tipo de cambio del 1 oct 2026");
    assert!(response.call.is_none(), "no query is charged");
}
