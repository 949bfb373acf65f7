//! What was used: numbers, bars and a file that say the same.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

use crate::stage::Stage;

const EMAIL: &str = "ana@kuraka.example";

#[actix_web::test]
async fn nothing_used_is_told_with_a_way_to_begin() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    let shown = owner.get("/panel/consumo").await;
    shown.says("Aún no hay consultas");
    shown.says("noviembre de 2026");
    shown.says("1 dic");
    assert_eq!(shown.between("id=\"used\">", "<"), "0");
    shown.hides("<rect class");
}

#[actix_web::test]
async fn queries_are_shown_by_day_operation_and_outcome() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    stage.use_queries(EMAIL).await;
    let shown = owner.get("/panel/consumo").await;
    shown.says("/ruc: 5 consultas en 30 días; el día con más, 20 nov 2026, fueron 4");
    shown.says("<title>20 nov, Encontrado: 3</title>");
    shown.says("<title>20 nov, No existe: 1</title>");
    shown.says("Sin consultas en este periodo");
    assert_eq!(shown.body.matches("<rect class").count(), 4);
}

#[actix_web::test]
async fn the_file_holds_the_same_days_and_no_text_of_a_caller() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in(EMAIL).await;
    stage.use_queries(EMAIL).await;
    let shown = owner.get("/panel/consumo.csv").await;
    assert_eq!(shown.header(&CONTENT_TYPE), "text/csv; charset=utf-8");
    assert!(shown.header(&CONTENT_DISPOSITION).starts_with("attachment; filename="));
    let mut lines: Vec<&str> = shown.body.lines().skip(1).collect();
    lines.sort_unstable();
    assert_eq!(shown.body.lines().next(), Some("dia,operacion,resultado,consultas"));
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

#[actix_web::test]
async fn one_account_sees_nothing_of_another() {
    let stage = Stage::new().await;
    stage.signed_in(EMAIL).await;
    stage.use_queries(EMAIL).await;
    let mut other = stage.signed_in("otra@kuraka.example").await;
    other.get("/panel/consumo").await.says("Aún no hay consultas");
    assert_eq!(other.get("/panel/consumo.csv").await.body.lines().count(), 1);
}
