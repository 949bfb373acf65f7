//! `/panel/comprobante`: an XML or a QR code fills the form, and the form is answered for a query.

use actix_web::http::StatusCode;
use kuraka_domain::ResultCode;
use kuraka_ports::SourceErrorKind;

use crate::browser::{Browser, Response, upload};
use crate::taxpayers::{COMPANY, incapable, profile, voucher};
use crate::test_app::{EMAIL, TestApp};

const PAGE: &str = "/panel/comprobante";
const XML: &str = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><Invoice xmlns:cbc=\"b\" xmlns:cac=\"a\"><cbc:ID>F001-1</cbc:ID>\
    <cbc:IssueDate>2026-11-01</cbc:IssueDate><cbc:InvoiceTypeCode>01</cbc:InvoiceTypeCode><cac:AccountingSupplierParty>\
    <cac:Party><cac:PartyIdentification><cbc:ID schemeID=\"6\">20100119227</cbc:ID></cac:PartyIdentification></cac:Party>\
    </cac:AccountingSupplierParty><cac:AccountingCustomerParty><cbc:Name>COMPRADOR SECRETO</cbc:Name></cac:AccountingCustomerParty>\
    <cac:LegalMonetaryTotal><cbc:PayableAmount currencyID=\"PEN\">118.00</cbc:PayableAmount></cac:LegalMonetaryTotal></Invoice>";

fn fields(number: &str) -> [(&str, &str); 6] {
    [
        ("ruc_emisor", COMPANY),
        ("codigo_tipo_documento", "01"),
        ("serie_documento", "F001"),
        ("numero_documento", number),
        ("fecha_de_emision", "2026-11-01"),
        ("total", "118.00"),
    ]
}

async fn ask(owner: &mut Browser<'_>, number: &str) -> Response {
    owner.submit(PAGE, PAGE, &fields(number)).await
}

async fn fill(owner: &mut Browser<'_>, file: &[u8], qr: &str) -> Response {
    let token = owner.get(PAGE).await.form_token();
    owner.send(upload(PAGE, &token, file, &[("llenar", "1"), ("qr", qr)])).await
}

#[track_caller]
fn assert_filled(page: &Response, number: &str) {
    assert_eq!((page.status, page.call.is_none()), (StatusCode::OK, true), "{}", page.body);
    page.assert_contains("todavía no se consultó");
    for value in [COMPANY, "F001", number, "2026-11-01", "118.00"] {
        page.assert_contains(&format!("value=\"{value}\""));
    }
    page.assert_contains("<option value=\"01\" selected>Factura</option>");
}

#[actix_web::test]
async fn an_xml_and_a_qr_code_fill_the_form_and_cost_nothing() {
    let (app, mut owner) = TestApp::owner().await;
    owner.get("/panel/consultar").await.assert_contains("href=\"/panel/comprobante\"");
    let before = app.state();
    let page = fill(&mut owner, XML.as_bytes(), "").await;
    assert_filled(&page, "1");
    page.assert_lacks("SECRETO");
    let qr = "20100119227 | 01 | F001 | 77 | 18.00 | 118.00 | 01/11/2026 | 6 | 20999990038 | x";
    assert_filled(&fill(&mut owner, b"", qr).await, "77");
    let partial = XML.replace("cbc:PayableAmount", "cbc:Other");
    let page = fill(&mut owner, partial.as_bytes(), "").await;
    page.assert_contains("Complete lo que no se encontró: total.");
    assert_eq!((app.validator.asked().len(), app.used(EMAIL).await, app.state()), (0, 0, before));
}

#[actix_web::test]
async fn a_file_that_is_no_voucher_is_refused_and_nothing_is_asked() {
    let (app, mut owner) = TestApp::owner().await;
    for (file, qr, why) in [
        ("", "", "Elija el XML o pegue el texto del QR"),
        ("", "<b>hola", "No es el texto del QR"),
        ("hola", "", "no es XML"),
        ("<!DOCTYPE a><Invoice/>", "", "DTD o entidades"),
        ("<ApplicationResponse/>", "", "(CDR)"),
        ("<AttachedDocument/>", "", "(AttachedDocument)"),
        (&" ".repeat((1 << 20) + 1), "", "más de 1 MB"),
    ] {
        let refused = fill(&mut owner, file.as_bytes(), qr).await;
        assert_eq!((refused.status, refused.call.is_none()), (StatusCode::UNPROCESSABLE_ENTITY, true), "{why}");
        refused.assert_contains(why);
        refused.assert_all(["No se descontó ninguna consulta.", "name=\"ruc_emisor\""]);
        refused.assert_lacks("<b>hola");
    }
    let refused = fill(&mut owner, &vec![b' '; 3 << 20], "").await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    refused.assert_all(["El XML tiene más de 1 MB.", "name=\"ruc_emisor\""]);
    assert_eq!((app.validator.asked().len(), app.used(EMAIL).await), (0, 0));
}

#[actix_web::test]
async fn each_state_says_whose_fault_it_is_and_costs_one_query() {
    let app = TestApp::new().await;
    let bad = incapable(profile(COMPANY, "ACTIVO", "HABIDO"));
    let mut owner = app.signed_in(EMAIL).await;
    for (at, (number, verdict, texts)) in [
        ("1", "verdict good", ["ACEPTADO", "El comprobante está en orden. Su emisor estaba en orden en la fecha"]),
        ("2", "verdict bad", ["ANULADO", "El problema está en el comprobante. Su emisor estaba en orden"]),
        ("3", "verdict good", ["ACEPTADO", "El comprobante está en orden. El problema está en el emisor: NO HABIDO."]),
        (
            "4",
            "verdict bad",
            ["NO EXISTE", "El problema está en el comprobante. La SUNAT no dice todo sobre el emisor"],
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let page = ask(&mut owner, number).await;
        assert_eq!(page.status, StatusCode::OK);
        for text in [verdict, "Qué hacer.", "Factura F001-"].into_iter().chain(texts) {
            page.assert_contains(text);
        }
        page.assert_contains(&format!("/panel/consultar/{COMPANY}?fecha=2026-11-01"));
        let call = page.call.unwrap();
        assert_eq!((call.operation.name, call.queries(), call.result()), ("cpe", 1, Some(ResultCode::Found)));
        assert_eq!(app.used(EMAIL).await, at as u64 + 1);
    }
    app.publish([bad], &[], &[]);
    ask(&mut owner, "1").await.assert_all([
        "El problema está en el emisor: SIN CAPACIDAD OPERATIVA.",
        "Una observación",
        "ha sido emitido a otro contribuyente. Es lo usual y no es un rechazo",
    ]);
}

#[actix_web::test]
async fn not_valid_and_not_found_out_look_different() {
    let (app, mut owner) = TestApp::owner().await;
    app.validator.fail_for(voucher("1"), SourceErrorKind::Rejected);
    app.validator.fail_for(voucher("2"), SourceErrorKind::Unavailable);
    let wrong = ask(&mut owner, "1").await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    wrong.assert_all(["verdict warn", "No es válido", "según la SUNAT: Fecha incorrecta", "Se descontó una consulta"]);
    assert_eq!(app.used(EMAIL).await, 1);
    let unknown = ask(&mut owner, "2").await;
    assert_eq!(unknown.status, StatusCode::SERVICE_UNAVAILABLE);
    unknown.assert_all(["verdict unsure", "No se pudo averiguar", "No se descontó ninguna consulta", "value=\"2\""]);
    assert_eq!(app.used(EMAIL).await, 1);
    assert_eq!(unknown.call.unwrap().result(), Some(ResultCode::UpstreamUnavailable));
}

#[actix_web::test]
async fn a_wrong_field_is_named_and_what_was_typed_stays() {
    let (app, mut owner) = TestApp::owner().await;
    for (name, value, why) in [
        ("ruc_emisor", "20100119228", "RUC del emisor: el dígito verificador no corresponde"),
        ("codigo_tipo_documento", "", "Tipo de comprobante: debe ser 01"),
        ("serie_documento", "B001", "Serie: una factura lleva F"),
        ("numero_documento", "1a", "Número: debe ser"),
        ("fecha_de_emision", "mañana", "Fecha de emisión: debe ser una fecha"),
        ("fecha_de_emision", "2026-11-21", "Fecha de emisión: no puede ser posterior a hoy"),
        ("total", "12\"x", "Total: debe ser un monto"),
    ] {
        let sent = fields("1").map(|(field, text)| (field, if field == name { value } else { text }));
        let page = owner.submit(PAGE, PAGE, &sent).await;
        assert_eq!((page.status, page.call.is_none()), (StatusCode::UNPROCESSABLE_ENTITY, true), "{why}");
        page.assert_contains(&format!("<p class=\"wrong\" id=\"{name}-error\" role=\"alert\">{why}"));
        for (field, text) in
            sent.into_iter().filter(|(field, text)| *field != "codigo_tipo_documento" && !text.is_empty())
        {
            let kept = format!("value=\"{}\"", text.replace('"', "&#34;"));
            assert!(page.body.contains(&kept), "{field} is not kept: {kept} in {}", page.body);
        }
    }
    // As people write it.
    let people = ["20-10011922-7", "factura", "f001", "1", "1/11/2026", "S/ 118,00"];
    let sent: Vec<_> = fields("1").iter().zip(people).map(|((name, _), text)| (*name, text)).collect();
    owner.submit(PAGE, PAGE, &sent).await.assert_contains("ACEPTADO");
    assert_eq!(app.used(EMAIL).await, 1);
}

#[actix_web::test]
async fn a_voucher_is_not_asked_for_when_the_plan_has_ended() {
    let (app, mut owner) = TestApp::owner().await;
    app.use_queries_up_to(EMAIL, 1_000).await;
    let refused = ask(&mut owner, "1").await;
    assert_eq!((refused.status, app.validator.asked().len()), (StatusCode::TOO_MANY_REQUESTS, 0));
    refused.assert_all([
        "de su plan le quedan 0",
        "pídalas a quien administra",
        "value=\"118.00\"",
        "value=\"20100119227\"",
    ]);
}
