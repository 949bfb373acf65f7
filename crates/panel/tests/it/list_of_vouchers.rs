//! Lists of vouchers: a purchase register, what the validator says, and what it cannot say.

use std::time::Duration;

use actix_web::http::StatusCode;
use kuraka_domain::ResultCode;
use kuraka_ports::SourceErrorKind;

use crate::browser::{Browser, Response};
use crate::taxpayers::voucher;
use crate::test_app::TestApp;

const EMAIL: &str = "ana@kuraka.example";
const LIST: &str = "/panel/lista";
const REGISTER: &str = "RUC;Fecha de emisión;Tipo CP/Doc.;Serie del CDP;Nro CP o Doc. Nro Inicial (Rango);\
                        Nro Doc Identidad;Total CP;Moneda
20131312955;01/11/2026;01;F001;1;20100119227;118.00;PEN
20131312955;01/11/2026;01;F001;2;20100119227;118.00;PEN
20131312955;01/11/2026;01;F001;1;20100119227;118.00;PEN
20131312955;01/11/2026;01;F001;4;20100119227;118.00;USD
20131312955;01/12/2026;01;F001;5;20100119227;118.00;PEN
20131312955;01/11/2026;01;F001;6;20100119228;118.00;PEN";

async fn look_up(browser: &mut Browser<'_>, items: &str) -> Response {
    browser.submit(LIST, "/panel/lista/consultar", &[("kind", "cpe"), ("items", items)]).await
}

/// The lines of a batch with the invoices of these numbers.
fn items(numbers: &[&str]) -> String {
    let lines = numbers.iter().map(|number| format!("7\t20100119227|01|F001|{number}|2026-11-01|118.00"));
    lines.collect::<Vec<_>>().join("\n")
}

fn call(response: &Response) -> Option<(&'static str, u64, ResultCode)> {
    let call = response.call.as_ref()?;
    Some((call.operation.name, call.queries(), call.result().unwrap()))
}

#[actix_web::test]
async fn a_purchase_register_is_a_list_of_vouchers() {
    let app = TestApp::new().await;
    let mut owner = app.signed_in(EMAIL).await;
    let read = owner.submit(LIST, LIST, &[("text", REGISTER)]).await;
    for text in [
        "<dd class=\"big\">2 comprobantes</dd>",
        "«Nro Doc Identidad»",
        "data-kind=\"cpe\" data-batch=\"100\"",
        "F001-1",
        "20100119227 · 2026-11-01 · 118.00",
        "Está en USD, y un registro de compras tiene el total en soles",
        "no puede ser posterior a hoy",
        "el dígito verificador no corresponde",
    ] {
        read.assert_contains(text);
    }
    let sent = read.between("<textarea name=\"items\" hidden>", "</textarea>");
    assert_eq!(sent, "2, 4\t20100119227|01|F001|1|2026-11-01|118.00\n3\t20100119227|01|F001|2|2026-11-01|118.00");
    let rucs = owner.submit(LIST, LIST, &[("text", REGISTER), ("what", "rucs")]).await;
    rucs.assert_contains("<dd class=\"big\">1 RUC</dd>");
}

#[actix_web::test]
async fn each_voucher_has_its_own_result() {
    let app = TestApp::new().await;
    let mut owner = app.signed_in(EMAIL).await;
    app.validator.fail_for(voucher("5"), SourceErrorKind::Unavailable);
    app.validator.fail_for(voucher("6"), SourceErrorKind::Rejected);
    let found = look_up(&mut owner, &items(&["1", "2", "3", "4", "5", "6"])).await;
    assert_eq!((found.status, call(&found)), (StatusCode::OK, Some(("cpe-multiple", 6, ResultCode::Found))));
    let marks: Vec<&str> =
        found.body.split("class=\"mark ").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(marks, ["good", "bad", "bad", "warn", "unsure", "warn"]);
    for text in [
        "data-problems=\"\"",
        "data-problems=\"ANULADO\"",
        "data-problems=\"NO HABIDO\"",
        "data-problems=\"NO EXISTE\"",
        "data-problems=\"No se pudo averiguar\"",
        "no es válido, según la SUNAT: Fecha incorrecta.",
        "ACTIVO · HABIDO",
        "Una observación",
    ] {
        found.assert_contains(text);
    }
    let cause = found.call.unwrap().take_cause().unwrap();
    assert!(cause.starts_with("1 of the list, the first one: "), "{cause}");
}

#[actix_web::test]
async fn a_list_of_vouchers_is_downloaded_with_their_fields() {
    let app = TestApp::new().await;
    let mut owner = app.signed_in(EMAIL).await;
    let found = look_up(&mut owner, &items(&["1"])).await;
    let rows = found.between("<textarea name=\"rows\" hidden>", "</textarea>").trim().to_owned();
    let file = [("kind", "cpe"), ("format", "csv"), ("rows", &*rows)];
    let csv = owner.submit(LIST, "/panel/lista/archivo", &file).await;
    csv.assert_contains(
        "fila,ruc_emisor,codigo_tipo_documento,serie_documento,numero_documento,fecha_de_emision,total,",
    );
    csv.assert_contains("7,20100119227,01,F001,1,2026-11-01,118.00,found,,1,ACEPTADO,ACTIVO,HABIDO,Una observación");
}

#[actix_web::test]
async fn vouchers_without_an_answer_in_time_are_not_known() {
    let app = TestApp::new().await;
    let mut owner = app.signed_in(EMAIL).await;
    app.validator.hang(true);
    app.stop_within(Duration::ZERO);
    let unknown = look_up(&mut owner, &items(&["1"])).await;
    assert_eq!(call(&unknown), Some(("cpe-multiple", 1, ResultCode::Found)));
    unknown.assert_contains("data-problems=\"No se pudo averiguar\"");
}

#[actix_web::test]
async fn a_batch_of_vouchers_is_bounded_by_the_plan() {
    let app = TestApp::new().await;
    let mut owner = app.signed_in(EMAIL).await;
    let numbers: Vec<String> = (1..=101).map(|number| number.to_string()).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let refused = look_up(&mut owner, &items(&numbers)).await;
    assert_eq!((refused.status, call(&refused)), (StatusCode::BAD_REQUEST, None));
    assert_eq!(look_up(&mut owner, "1\t20100119227|01|F001|1|2026-11-01").await.status, StatusCode::BAD_REQUEST);
}
