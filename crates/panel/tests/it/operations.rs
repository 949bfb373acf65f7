//! Pages that show the operations of the table that the server hands to the panel.

use kuraka_api::{Body, Method, Operation, Playground, Sample, ruc};

use crate::test_app::{EMAIL, TestApp};

const MADE_UP: Operation = Operation {
    description: "No existe.",
    request: Some(BODY),
    cost: 2,
    playground: Some(Playground {
        title: "Inventada",
        about: "Solo en esta prueba.",
        samples: &[Sample { title: "Una", body: "{\"uno\": 1}" }],
    }),
    ..Operation::new("made-up", Method::Post, "Una operación inventada", BODY)
};

const BODY: Body = Body { example: "{}", ..ruc::OPERATION.response };

#[actix_web::test]
async fn the_playground_offers_the_samples_of_every_operation() {
    let app = TestApp::with_operations(&[&ruc::OPERATION, &MADE_UP]).await;
    let mut owner = app.signed_in(EMAIL).await;
    owner.get("/panel/probar").await.assert_contains("Inventada");
    let response = owner.get("/panel/probar?operacion=made-up").await;
    response.assert_all(["data-path=\"/made-up\"", "{&#34;uno&#34;: 1}</textarea>"]);
}

#[actix_web::test]
async fn the_usage_page_shows_every_operation_that_costs_queries() {
    let app = TestApp::with_operations(&[&ruc::OPERATION, &MADE_UP, &kuraka_api::usage::OPERATION]).await;
    let mut owner = app.signed_in(EMAIL).await;
    app.use_queries(EMAIL).await;
    let response = owner.get("/panel/consumo").await;
    response.assert_all(["Resumen de un contribuyente: 5 veces", " Una operación inventada."]);
    response.assert_lacks("/usage");
}

#[actix_web::test]
async fn usage_of_an_operation_outside_of_the_table_is_kept() {
    let app = TestApp::with_operations(&[&MADE_UP]).await;
    let mut owner = app.signed_in(EMAIL).await;
    app.use_queries(EMAIL).await;
    let response = owner.get("/panel/consumo").await;
    response.assert_all(["/ruc: 5 veces", "/ruc-official: 2 veces"]);
    owner.get("/panel/consumo.csv").await.assert_contains("2026-11-20,/ruc-official,upstream_unavailable,2");
}
