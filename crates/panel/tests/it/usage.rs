//! The usage page: the numbers of the month, the chart and the CSV.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use kuraka_domain::{Date, ResultCode};
use kuraka_ports::{DailyUsage, DayCount, OperationName};

use crate::browser::Response;
use crate::test_app::{EMAIL, TestApp};

const SUMMARY: &str = "Resumen de un contribuyente";

/// The chart with this title.
fn chart<'a>(page: &'a Response, title: &str) -> &'a str {
    page.between(&format!("<h3>{title}</h3>"), "</figure>")
}

/// The value of the upper line of the chart with this title.
fn top<'a>(page: &'a Response, title: &str) -> &'a str {
    let (_, rest) = chart(page, title).split_once("<div class=\"axis\"><span>").unwrap();
    rest.split_once('<').unwrap().0
}

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
    let bars = chart(&response, SUMMARY).split(" x=\"").skip(1).map(|bar| bar.split('"').next().unwrap());
    assert_eq!(bars.collect::<Vec<_>>(), ["1014", "2914", "2914"], "a day without queries has no bar");
}

#[actix_web::test]
async fn the_upper_line_is_round_and_above_every_bar() {
    let (app, mut owner) = TestApp::owner().await;
    let tops = [
        (1, "1"),
        (2, "2"),
        (3, "3"),
        (6, "6"),
        (10, "10"),
        (11, "15"),
        (999, "1,000"),
        (1_001, "1,500"),
        (u64::MAX, "18,446,744,073,709,551,615"),
    ];
    for (count, _) in tops {
        app.count(&format!("v{count}"), "2026-11-20", ResultCode::Found, count).await;
    }
    let page = owner.get("/panel/consumo").await;
    for (count, expected) in tops {
        assert_eq!(top(&page, &format!("/v{count}")), expected);
    }
}

#[actix_web::test]
async fn segments_are_stacked_up_to_the_total() {
    let (app, mut owner) = TestApp::owner().await;
    app.count("ruc", "2026-11-20", ResultCode::Found, 6).await;
    app.count("ruc", "2026-11-20", ResultCode::DocumentNotFound, 4).await;
    let page = owner.get("/panel/consumo").await;
    page.assert_all([
        "<rect class=\"found\" x=\"2914\" y=\"400\" width=\"72\" height=\"600\">",
        "<rect class=\"absent\" x=\"2914\" y=\"0\" width=\"72\" height=\"400\">",
        "10 veces en 30 días",
    ]);
    assert_eq!(top(&page, SUMMARY), "10");
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
    /// Counts calls of the account of most tests on a day.
    async fn count(&self, operation: &str, day: &str, code: ResultCode, count: u64) {
        let id = self.account(EMAIL).await.id;
        let (day, operation) = (Date::parse(day).unwrap(), OperationName::Owned(operation.to_owned()));
        self.store.add(&[(id, DayCount { day, operation, code, count })]).await.unwrap();
    }

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
