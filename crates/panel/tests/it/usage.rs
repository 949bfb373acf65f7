//! The usage page: the numbers of the month, the chart and the CSV.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use kuraka_domain::{Date, ResultCode};
use kuraka_ports::{DailyUsage, DayCount, OperationName};

use crate::test_app::{EMAIL, TestApp};

#[actix_web::test]
async fn an_account_without_usage_sees_nobody_elses_and_gets_a_link_to_the_playground() {
    let (app, mut owner) = TestApp::owner().await;
    app.signed_in("otra@kuraka.example").await;
    app.use_queries("otra@kuraka.example").await;
    assert_eq!(owner.get("/panel/consumo.csv").await.body.lines().count(), 1);
    let response = owner.get("/panel/consumo").await;
    response.assert_all(["Aún no hay consultas", "noviembre de 2026", "1 dic"]);
    assert_eq!(response.between("id=\"used\">", "<"), "0");
    response.assert_lacks("<rect class");
}

#[actix_web::test]
async fn queries_are_shown_by_day_operation_and_result() {
    let (app, mut owner) = TestApp::owner().await;
    app.use_queries(EMAIL).await;
    let response = owner.get("/panel/consumo").await;
    response.assert_all([
        "Resumen de un contribuyente: 5 veces en 30 días; el día con más, 20 nov 2026, fueron 4",
        "<title>20 nov, Encontrado: 3</title>",
        "<title>20 nov, No existe: 1</title>",
        "<h3>Resumen de un contribuyente</h3>",
        "Sin consultas en este periodo",
        "2 veces en 30 días",
    ]);
    response.assert_lacks("<code>/ruc");
    assert_eq!(response.body.matches("<rect class").count(), 4);
}

#[actix_web::test]
async fn the_csv_holds_the_same_counts() {
    let (app, mut owner) = TestApp::owner().await;
    app.use_queries(EMAIL).await;
    let response = owner.get("/panel/consumo.csv").await;
    assert_eq!(response.header(&CONTENT_TYPE), "text/csv; charset=utf-8");
    assert!(response.header(&CONTENT_DISPOSITION).starts_with("attachment; filename="));
    let mut lines: Vec<&str> = response.body.lines().skip(1).collect();
    lines.sort_unstable();
    assert_eq!(response.body.lines().next(), Some("dia,operacion,resultado,consultas"));
    assert_eq!(
        lines,
        [
            "2026-11-01,/ruc,found,1",
            "2026-11-20,/ruc,document_not_found,1",
            "2026-11-20,/ruc,found,3",
            "2026-11-20,/ruc-official,upstream_unavailable,2",
        ]
    );
}

impl TestApp {
    /// Counts calls of every operation with every code on each of 30 days.
    pub(crate) async fn use_everything(&self, email: &str) {
        let id = self.account(email).await.id;
        let last = Date::parse("2026-11-20").unwrap().days_since_epoch();
        for day in (last - 29..=last).map(|day| Date::from_days_since_epoch(day).unwrap()) {
            let of_operation = |operation| {
                let operation = OperationName::Borrowed(operation);
                ResultCode::ALL.map(|code| (id, DayCount { day, operation: operation.clone(), code, count: 1_234 }))
            };
            self.store.add(&["ruc", "ruc-official", "cpe"].map(of_operation).concat()).await.unwrap();
        }
    }
}
