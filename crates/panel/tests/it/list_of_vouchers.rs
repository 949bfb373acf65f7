//! Lists of vouchers: a purchase register, what the validator says, and what is at risk.

use kuraka_ports::SourceErrorKind;

use crate::list::{keep, looked_up};
use crate::taxpayers::voucher;
use crate::test_app::{EMAIL, TestApp};

const REGISTER: &str = "RUC;Fecha de emisión;Tipo CP/Doc.;Serie del CDP;Nro CP o Doc. Nro Inicial (Rango);\
                        Nro Doc Identidad;IGV;Total CP;Moneda
20131312955;01/11/2026;01;F001;1;RUC 20100119227;18.00;118.00;S/.
20131312955;01/11/2026;01;F001;2;20100119227;18.00;118.00;PEN
20131312955;01/11/2026;01;F001;2;20100119227;18.00;118.00;PEN
20131312955;01/11/2026;01;F001;3;20100119227;18.00;118.00;MN
20131312955;01/11/2026;01;F001;4;20100119227;18.00;118.00;PEN
20131312955;01/11/2026;01;F001;7;20100119227;18.00;118.00;USD
20131312955;01/12/2026;01;F001;8;20100119227;18.00;118.00;PEN
20131312955;01/11/2026;01;F001;9;20100119228;18.00;118.00;PEN
20131312955;01/11/2026;03;B001;9;12345678;18.00;118.00;PEN";
const VOUCHERS: [(&str, &str); 1] = [("modo", "comprobantes")];

#[actix_web::test]
async fn a_purchase_register_offers_each_way_with_its_price() {
    let (_, mut owner) = TestApp::owner().await;
    let list = keep(&mut owner, REGISTER).await;
    let page = owner.get(&list).await;
    page.assert_all([
        "Consultar 4 comprobantes (4 consultas)",
        "Consultar 2 RUC con su fecha (2 consultas)",
        "Consultar 1 RUC (1 consulta)",
        "2 filas con RUC no entran: son de otro tipo o moneda",
        "<option value=\"7\" selected>IGV (columna 7)</option>",
        "<option value=\"9\" selected>Moneda (columna 9)</option>",
    ]);
}

#[actix_web::test]
async fn the_result_is_what_is_at_risk() {
    let (app, mut owner) = TestApp::owner().await;
    let (_, page) = looked_up(&mut owner, REGISTER, &VOUCHERS).await;
    page.assert_all([
        // Two rows of the annulled one, one of an issuer that is NO HABIDO, one that does not exist, one wrong RUC.
        "<b>5</b> en rojo",
        "<b>3</b> sin dato",
        "<b>1</b> conforme<",
        "S/ 590.00 (IGV S/ 90.00)",
        "ANULADO",
        "NO EXISTE",
        "ACTIVO · NO HABIDO",
        "Está en USD, y un registro de compras tiene el total en soles",
        "no puede ser posterior a hoy",
        "Una observación",
    ]);
    assert_eq!(app.used(EMAIL).await, 4);
}

#[actix_web::test]
async fn vouchers_without_an_answer_wait_and_are_not_charged() {
    let (app, mut owner) = TestApp::owner().await;
    app.validator.fail_for(voucher("1"), SourceErrorKind::Unavailable);
    app.validator.fail_for(voucher("2"), SourceErrorKind::Rejected);
    let (_, page) = looked_up(&mut owner, REGISTER, &VOUCHERS).await;
    page.assert_all(["Faltan respuestas: faltan 1 de 4.", "no es válido, según la SUNAT: Fecha incorrecta."]);
    assert_eq!(app.used(EMAIL).await, 3);
}
