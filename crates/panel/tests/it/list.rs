//! Lists: what is read, what it costs before and after, and what is downloaded.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, RETRY_AFTER};
use actix_web::test::TestRequest;
use kuraka_domain::{ResultCode, Ruc, RucKind};

use crate::browser::{Browser, Response};
use crate::taxpayers::{ABSENT, COMPANY, PERSON, incapable, profile, sanctioned};
use crate::test_app::TestApp;

const EMAIL: &str = "ana@kuraka.example";
const LIST: &str = "/panel/lista";
const LOOK_UP: &str = "/panel/lista/consultar";
const FILE: &str = "/panel/lista/archivo";

/// Submits a form with a file.
async fn upload(browser: &mut Browser<'_>, to: &str, file: &[u8], fields: &[(&str, &str)]) -> Response {
    let token = browser.get(LIST).await.form_token();
    browser.send(crate::browser::upload(to, &token, file, fields)).await
}

async fn look_up(browser: &mut Browser<'_>, items: &str) -> Response {
    browser.submit(LIST, LOOK_UP, &[("kind", "ruc"), ("items", items)]).await
}

fn call(response: &Response) -> Option<(&'static str, u64, ResultCode)> {
    let call = response.call.as_ref()?;
    Some((call.operation.name, call.queries(), call.result().unwrap()))
}

/// Decodes the few signs that the templates escape.
fn unescaped(text: &str) -> String {
    text.replace("&#34;", "\"").replace("&#38;", "&")
}

async fn app() -> TestApp {
    let app = TestApp::new().await;
    let bad = incapable(profile("20999990038", "ACTIVO", "NO HABIDO"));
    app.publish([profile(COMPANY, "ACTIVO", "HABIDO"), bad, sanctioned(profile(PERSON, "ACTIVO", "HABIDO"))], &[], &[]);
    app
}

#[actix_web::test]
async fn a_list_shows_its_cost_before_it_is_looked_up() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    let before = app.state();
    let file =
        "Total CP;Nro Doc Identidad\n1;20100119227\n2;20999990038\n3;20100119227\n4;2.01001E+10\n5;20100119228\n6;\n";
    let read = upload(&mut owner, LIST, file.as_bytes(), &[("text", "20999999990")]).await;
    assert_eq!((read.status, call(&read)), (StatusCode::OK, None));
    for text in [
        "6 filas con datos; se leyó «Nro Doc Identidad».",
        "<dd class=\"big\">2 RUC</dd>",
        "<dd class=\"big\">2 consultas</dd>",
        "<dd class=\"big\">1,000</dd>",
        "La hoja de cálculo acortó el número",
        "el dígito verificador no corresponde",
        "Falta el RUC.",
        "data-batch=\"100\" data-pause=\"200\"",
        "Consultar 2 RUC (2 consultas)",
    ] {
        read.assert_contains(text);
    }
    read.assert_lacks(ABSENT);
    assert_eq!(read.between("<textarea name=\"items\" hidden>", "</textarea>"), "2, 4\t20100119227\n3\t20999990038");
    assert_eq!(app.state(), before, "nothing is stored or charged");
}

#[actix_web::test]
async fn a_pasted_list_needs_no_header_and_no_lines() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    for text in
        ["20100119227\n20999990038", "20100119227, 20999990038;", "Proveedor\truc\nA\t20100119227\nB\t20999990038"]
    {
        let read = owner.submit(LIST, LIST, &[("text", text)]).await;
        read.assert_contains("<dd class=\"big\">2 RUC</dd>");
    }
}

#[actix_web::test]
async fn a_batch_costs_one_query_for_each_item() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    let read = owner.submit(LIST, LIST, &[("text", &["20100119227", "20999990038", PERSON, ABSENT].join("\n"))]).await;
    // The page works without scripts: its form holds the first batch.
    let items = read.between("<textarea name=\"items\" hidden>", "</textarea>").to_owned();
    let found = look_up(&mut owner, &items).await;
    assert_eq!((found.status, call(&found)), (StatusCode::OK, Some(("ruc-multiple", 4, ResultCode::Found))));
    for text in [
        "Resultado de 4 RUC.",
        "MOLINOS & HIJOS S.A.C.",
        "data-problems=\"\"",
        "data-problems=\"NO HABIDO|SIN CAPACIDAD OPERATIVA\"",
        "data-problems=\"SANCIONADO\"",
        "data-problems=\"No existe\"",
        "class=\"mark good\"",
        "class=\"mark bad\"",
        "Agentes de retención del IGV",
    ] {
        found.assert_contains(text);
    }
    owner.get("/panel/consumo").await.assert_contains("id=\"used\">4<");
    assert!(!app.state().contains(COMPANY), "the store knows no RUC");
}

#[actix_web::test]
async fn what_the_files_cannot_tell_is_no_problem_of_the_taxpayer() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    app.registry.fail(Ruc::parse(COMPANY).unwrap(), kuraka_ports::SourceErrorKind::Unreadable);
    let found = look_up(&mut owner, "1\t20100119227\n2\t20999990038").await;
    found.assert_contains("data-problems=\"No se pudo averiguar\"");
    found.assert_contains("class=\"mark unsure\"");
    found.assert_contains("SIN CAPACIDAD OPERATIVA");

    let empty = TestApp::new().await;
    let unknown = look_up(&mut empty.signed_in(EMAIL).await, "1\t20100119227").await;
    assert_eq!(unknown.status, StatusCode::SERVICE_UNAVAILABLE);
    unknown.assert_contains("No significa nada sobre los RUC.");
    // A script would repeat it, and each time would cost.
    assert_eq!(unknown.header(&RETRY_AFTER), "");
    assert_eq!(call(&unknown), Some(("ruc-multiple", 1, ResultCode::UpstreamUnavailable)));
}

#[actix_web::test]
async fn a_file_that_cannot_be_read_says_why() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    let rows = |count: usize| "20100119227\n".repeat(count).into_bytes();
    for (file, why) in [
        (Vec::new(), "Elija un archivo o pegue una lista."),
        (b"nombre\nMOLINOS".to_vec(), "Ninguna columna tiene RUC."),
        (rows(10_001), "Tiene más de 10,000 filas."),
        (b"PK\x03\x04".to_vec(), "No se pudo leer el libro"),
        (b"\xff\xfer\0u\0c\0".to_vec(), "UTF-16"),
    ] {
        let refused = upload(&mut owner, LIST, &file, &[("text", "")]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{why}");
        refused.assert_contains(why);
    }
    upload(&mut owner, LIST, &rows(10_000), &[]).await.assert_contains("10,000 filas con datos");
    for size in [(2 << 20) + 1, (3 << 20)] {
        let refused = upload(&mut owner, LIST, &vec![b'1'; size], &[]).await;
        assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
        refused.assert_contains("Se admiten hasta 2 MB.");
    }
}

#[actix_web::test]
async fn the_column_of_the_ruc_is_never_guessed() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    let own = "RUC,Nro. Doc. Ident.,Fecha,Fecha\n20999990071,20100119227,1/9/2026,2/9/2026\n20999990071,20999990038,1/9/2026,2/9/2026\n";
    let page = upload(&mut owner, LIST, own.as_bytes(), &[]).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.body.contains("2 filas con datos; se leyó «Nro. Doc. Ident.»."), "{}", page.body);
    let dates = "Más de una columna puede tener la fecha de emisión: «Fecha», «Fecha». No se leyó ninguna.";
    assert!(page.body.contains(dates) && page.body.contains("20999990038") && !page.body.contains("20999990071"));
    let unsure = "RUC;RUC\n20100119227;20999990038\n20999990038;20100119227\n";
    let page = upload(&mut owner, LIST, unsure.as_bytes(), &[]).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        page.body.contains("Más de una columna puede tener el RUC del proveedor: «RUC», «RUC». No se eligió ninguna")
    );
}

#[actix_web::test]
async fn a_batch_that_no_page_sends_costs_nothing() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    let many = (0..101).map(|body| format!("1\t{}", Ruc::from_parts(RucKind::LegalPerson, body).unwrap()));
    for items in [String::new(), "20100119227".into(), "1\t20100119228".into(), many.collect::<Vec<_>>().join("\n")] {
        let refused = look_up(&mut owner, &items).await;
        assert_eq!((refused.status, call(&refused)), (StatusCode::BAD_REQUEST, None), "{items}");
    }
    let refused = owner.submit(LIST, LOOK_UP, &[("kind", "dni"), ("items", "1\t20100119227")]).await;
    assert_eq!((refused.status, call(&refused)), (StatusCode::BAD_REQUEST, None));
}

#[actix_web::test]
async fn a_batch_beyond_the_plan_is_refused_whole() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    app.use_queries_up_to(EMAIL, 998).await;
    let refused = look_up(&mut owner, "1\t20100119227\n2\t20999990038\n3\t20999999990").await;
    assert_eq!((refused.status, refused.header(&RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, ""));
    refused.assert_contains("data-left=\"2\"");
    refused.assert_contains("Esto cuesta 3 consultas, y de su plan le quedan 2");
    assert_eq!(call(&refused), None);
    let found = look_up(&mut owner, "1\t20100119227\n2\t20999990038").await;
    assert_eq!(call(&found), Some(("ruc-multiple", 2, ResultCode::Found)));
}

#[actix_web::test]
async fn batches_have_the_rate_of_the_plan_and_not_of_forms() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    for _ in 0..70 {
        app.clock.advance(Duration::from_millis(200));
        assert_eq!(look_up(&mut owner, "1\t20100119227").await.status, StatusCode::OK);
    }
    let mut status = StatusCode::OK;
    for _ in 0..11 {
        let response = look_up(&mut owner, "1\t20100119227").await;
        status = response.status;
        assert!(status == StatusCode::OK || response.header(&RETRY_AFTER) == "1");
    }
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
}

#[actix_web::test]
async fn the_rows_of_the_page_are_downloaded_as_a_table() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    let found = look_up(&mut owner, "2, 4\t20100119227\n3\t20999990038").await;
    let rows = unescaped(found.between("<textarea name=\"rows\" hidden>", "</textarea>"));
    let csv = upload(&mut owner, FILE, b"", &[("kind", "ruc"), ("format", "csv"), ("rows", &rows)]).await;
    assert_eq!(csv.header(&CONTENT_TYPE), "text/csv");
    assert_eq!(csv.header(&CONTENT_DISPOSITION), "attachment; filename=\"kuraka-lista-2026-11-20.csv\"");
    let mut lines = csv.body.lines();
    let header = "fila,ruc,resultado,observacion,nombre_o_razon_social,estado,condicion,";
    assert!(lines.next().unwrap().starts_with(header), "{}", csv.body);
    let first = "\"2, 4\",20100119227,found,,MOLINOS & HIJOS S.A.C.,ACTIVO,HABIDO,AV. LIMA NRO. 1,LIMA,SI,NO,150131,";
    assert!(lines.next().unwrap().starts_with(first), "{}", csv.body);
    let second = "3,20999990038,found,NO HABIDO | SIN CAPACIDAD OPERATIVA,";
    assert!(lines.next().unwrap().starts_with(second), "{}", csv.body);

    let formula = [("kind", "ruc"), ("format", "csv"), ("rows", "1\t=2+3\tx")];
    upload(&mut owner, FILE, b"", &formula).await.assert_contains("1,'=2+3,x");
    let wide = [("kind", "ruc"), ("format", "csv"), ("rows", &*"x\t".repeat(1_000))];
    assert!(upload(&mut owner, FILE, b"", &wide).await.body.lines().all(|line| line.split(',').count() <= 20));
    for (name, value) in [("format", "pdf"), ("kind", "x")] {
        let fields = [("kind", "ruc"), ("format", "csv"), ("rows", "x")]
            .map(|field| if field.0 == name { (name, value) } else { field });
        assert_eq!(upload(&mut owner, FILE, b"", &fields).await.status, StatusCode::BAD_REQUEST, "{name}");
    }
}

#[actix_web::test]
async fn a_form_with_too_many_parts_is_refused() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    let refused = upload(&mut owner, LIST, b"20100119227", &[("x", ""); 20]).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
}

#[actix_web::test]
async fn a_large_form_without_a_session_is_not_read() {
    let app = app().await;
    let request = || TestRequest::post().uri(LIST).insert_header(("Sec-Fetch-Site", "same-origin"));
    let request = || request().insert_header((CONTENT_TYPE, "multipart/form-data; boundary=x"));
    let mut owner = app.signed_in(EMAIL).await;
    let read = owner.send(request().set_payload("no form")).await;
    let unread = app.answer(request().set_payload("no form")).await;
    assert_eq!((read.status, unread.status), (StatusCode::BAD_REQUEST, StatusCode::SEE_OTHER));
}

#[actix_web::test]
async fn a_batch_of_a_thousand_items_with_many_lines_is_read() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    let item = "9991, 9992, 9993, 9994, 9995 y 9995 más\t20100119227\n";
    // The plan allows fewer.
    assert_eq!(look_up(&mut owner, &item.repeat(1_000)).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(look_up(&mut owner, &item.repeat(100)).await.status, StatusCode::OK);
    assert_eq!(look_up(&mut owner, &item.repeat(2_000)).await.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[actix_web::test]
async fn a_list_with_dates_says_what_each_was_on_its_day() {
    let app = app().await;
    let mut owner = app.signed_in(EMAIL).await;
    let text = "RUC\tFecha\n20100119227\t20/11/2026\n20100119227\t2026-11-20\n20999990038\t1/1/2000\n20999990038\t";
    let read = owner.submit(LIST, LIST, &[("text", text)]).await;
    for part in ["se leyó «RUC», «Fecha».", "<dd class=\"big\">2 RUC con su fecha</dd>", "No tiene fecha"] {
        read.assert_contains(part);
    }
    let items = read.between("<textarea name=\"items\" hidden>", "</textarea>").to_owned();
    assert_eq!(items, "2, 3\t20100119227|2026-11-20\n4\t20999990038|2000-01-01");
    let found = owner.submit(LIST, LOOK_UP, &[("kind", "fecha"), ("items", &items)]).await;
    assert_eq!(call(&found), Some(("ruc-multiple", 1, ResultCode::Found)), "a day that is not covered is free");
    for part in [
        "href=\"/panel/consultar/20100119227?fecha=2026-11-20\"",
        "HABIDO · ACTIVO",
        "data-problems=\"Fecha sin registro\"",
        "El historial no cubre el 2000-01-01. Cubre del ",
    ] {
        found.assert_contains(part);
    }
    for (what, count) in [("rucs", "2 RUC<"), ("dates", "2 RUC con su fecha<")] {
        owner.submit(LIST, LIST, &[("text", text), ("what", what)]).await.assert_contains(count);
    }
    let refused = owner.submit(LIST, LIST, &[("text", "20100119227"), ("what", "dates")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    refused.assert_contains("Ninguna columna tiene fechas.");
}
