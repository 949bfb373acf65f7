//! A DNI or another document in the column of the RUC.

use std::time::Duration;

use crate::list::{keep, looked_up, result};
use crate::taxpayers::{COMPANY, PERSON, profile};
use crate::test_app::TestApp;

#[actix_web::test]
async fn a_dni_is_looked_up_as_a_ruc_only_if_that_is_chosen() {
    let (app, mut owner) = TestApp::publishing([COMPANY, PERSON].map(|ruc| profile(ruc, "ACTIVO", "HABIDO"))).await;
    let list = keep(&mut owner, "RUC;Importe\n20100119227;1.00\n99999007;2.00\n99999008;4.00\n").await;
    let page = owner.get(&list).await;
    page.assert_all([
        "2 filas con DNI",
        "<option value=\"0\" selected>dejarlas sin dato</option>",
        "Consultar 1 RUC (1 consulta)",
    ]);
    owner.submit(&list, &list, &[("dni", "1")]).await.location();
    let page = owner.get(&list).await;
    page.assert_all([
        "<option value=\"1\" selected>consultar el RUC 10 de la persona</option>",
        "Consultar 3 RUC (3 consultas)",
    ]);
    let done = result(&mut owner, &list, &[("modo", "rucs")]).await;
    done.assert_contains("10999990075");
    // A person without a RUC is nobody's risk.
    done.assert_all(["No tiene RUC", "<b>0</b> en rojo", "<b>1</b> sin dato"]);
    let file = owner.get(&format!("{list}.csv")).await;
    file.assert_contains("No tiene RUC");
    app.clock.advance(Duration::from_secs(2));
    let copy = owner.submit(&list, &list, &[("dni", "0")]).await.location().to_owned();
    owner.get(&copy).await.assert_contains("Consultar 1 RUC (1 consulta)");
}

/// The buyer issues it, and the seller has no RUC.
#[actix_web::test]
async fn a_purchase_settlement_of_a_person_with_a_dni_is_not_validated() {
    let (_, mut owner) = TestApp::owner().await;
    let rows = "RUC;Tipo;Serie;Número;Fecha;Total\n20100119227;01;F001;1;15/01/2026;1.00\n\
                99999007;04;E001;2;15/01/2026;2.00\n";
    let list = keep(&mut owner, rows).await;
    owner.submit(&list, &list, &[("dni", "1")]).await.location();
    let page = owner.get(&list).await;
    page.assert_all([
        "Consultar 1 comprobante (1 consulta)",
        "1 fila con RUC no entra: es de otro tipo o moneda, o le falta un dato",
    ]);
}

#[actix_web::test]
async fn a_row_that_cannot_be_asked_says_what_it_is_and_keeps_its_own_name() {
    let (_, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    let rows = "RUC;Razón social;Tipo;Serie;Número;Fecha;Total\n20100119227;MOLINOS;01;F001;1;20/11/2026;1.00\n                99999007;ANA;03;B001;2;20/11/2026;2.00\nDE-4455;GMBH;01;F009;3;20/11/2026;2.00\n                20100119227;MOLINOS;02;E001;4;20/11/2026;2.00\n20999990038;NUEVA;01;F001;77;20/11/2026;2.00\n";
    let (list, page) = looked_up(&mut owner, rows, &[("modo", "comprobantes")]).await;
    page.assert_contains("Los recibos por honorarios (02) no se validan así");
    let page = result(&mut owner, &list, &[("modo", "rucs")]).await;
    page.assert_all(["Es un DNI, no un RUC", "No es un RUC, que tiene 11 dígitos", ">NUEVA</a>", ">ANA</span>"]);
    let page = result(&mut owner, &list, &[("modo", "fechas")]).await;
    page.assert_contains("20100119227 · 20 nov 2026 · F001-1<");
}

/// One number has the form of a RUC, the other would be a wrong one.
#[actix_web::test]
async fn another_document_is_neither_asked_nor_a_wrong_ruc() {
    let (_, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    let rows =
        "Tipo doc. identidad;N° doc. identidad;Importe\n6;20100119227;1.00\n4;20999990038;2.00\n0;20100119228;4.00\n";
    let list = keep(&mut owner, rows).await;
    let page = owner.get(&list).await;
    page.assert_all([
        "según «Tipo doc. identidad (columna 1)» tienen otro documento no se consultan",
        "Consultar 1 RUC (1 consulta)",
    ]);
    let page = result(&mut owner, &list, &[("modo", "rucs")]).await;
    page.assert_contains("Según su tipo de documento, no es un RUC: no se consultó.");
    page.assert_all(["<b>0</b> en rojo", "<b>2</b> sin dato", "<b>1</b> conforme"]);
    page.assert_lacks("Qué hacer con los rojos");
}
