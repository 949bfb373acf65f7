//! Lists: what is read, what it costs, what is kept, and what is downloaded.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::test::TestRequest;
use kuraka_domain::{Ruc, RucKind};
use kuraka_ports::{DatasetState, DatasetStatus};

use crate::browser::{self, Browser, Response};
use crate::taxpayers::{ABSENT, COMPANY, PERSON, incapable, profile, sanctioned};
use crate::test_app::{EMAIL, TestApp, padron};

const LIST: &str = "/panel/lista";

/// Uploads a file.
async fn upload(browser: &mut Browser<'_>, file: &[u8], text: &str) -> Response {
    let token = browser.get(LIST).await.form_token();
    browser.send(browser::upload(LIST, &token, file, &[("text", text)])).await
}

/// Uploads a list, and returns its address.
pub(crate) async fn keep(browser: &mut Browser<'_>, file: &str) -> String {
    upload(browser, file.as_bytes(), "").await.location().to_owned()
}

/// Submits the form that looks a list up.
pub(crate) async fn look_up(browser: &mut Browser<'_>, list: &str, fields: &[(&str, &str)]) -> Response {
    browser.submit(list, &format!("{list}/consultar"), fields).await
}

/// Looks a list up, and returns its page with the result.
pub(crate) async fn result(browser: &mut Browser<'_>, list: &str, fields: &[(&str, &str)]) -> Response {
    assert_eq!(look_up(browser, list, fields).await.location(), list);
    browser.app.run_lists().await;
    browser.get(list).await
}

/// Uploads a list and looks it up. Returns its address, and its page with the result.
pub(crate) async fn looked_up(browser: &mut Browser<'_>, file: &str, fields: &[(&str, &str)]) -> (String, Response) {
    let list = keep(browser, file).await;
    let page = result(browser, &list, fields).await;
    (list, page)
}

async fn owner() -> (&'static TestApp, Browser<'static>) {
    let bad = incapable(profile("20999990038", "ACTIVO", "NO HABIDO"));
    let sanctioned = sanctioned(profile(PERSON, "ACTIVO", "HABIDO"));
    TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO"), bad, sanctioned]).await
}

/// A list of so many RUCs, none of which is in the registry.
fn many(count: u32) -> String {
    let ruc = |body| Ruc::from_parts(RucKind::LegalPerson, body).unwrap().to_string();
    (10_000_000..10_000_000 + count).map(ruc).collect::<Vec<_>>().join("\n")
}

const FILE: &str = "Total CP;Nro Doc Identidad\n1;20100119227\n2;20999990038\n3;20100119227\n4;2.01001E+10\n\
                    5;20100119228\n6;\n";

#[actix_web::test]
async fn a_list_shows_how_it_is_read_and_its_price_before_it_is_looked_up() {
    let (app, mut owner) = owner().await;
    let list = keep(&mut owner, FILE).await;
    let page = owner.get(&list).await;
    page.assert_all([
        "6 filas con datos.",
        "<option value=\"2\" selected>Nro Doc Identidad (columna 2)</option>",
        "<option value=\"1\" selected>1: Total CP · Nro Doc Identidad</option>",
        "<option value=\"1\" selected>Total CP (columna 1)</option>",
        "<option value=\"0\" selected>ninguna</option>",
        "<td>20100119227</td>",
        "Le quedan 1,000 consultas este mes",
        "Consultar 2 RUC (2 consultas)",
    ]);
    page.assert_lacks(ABSENT);
    assert_eq!(app.used(EMAIL).await, 0);
    owner.get(LIST).await.assert_contains(&format!("href=\"{list}\""));
}

#[actix_web::test]
async fn a_pasted_list_needs_no_header_and_no_lines() {
    let (_, mut owner) = owner().await;
    for text in
        ["20100119227\n20999990038", "20100119227, 20999990038;", "Proveedor\truc\nA\t20100119227\nB\t20999990038"]
    {
        let read = owner.submit(LIST, LIST, &[("text", text)]).await;
        owner.get(read.location()).await.assert_contains("Consultar 2 RUC");
    }
}

#[actix_web::test]
async fn a_result_is_kept_and_charged_once() {
    let (app, mut owner) = owner().await;
    let file = ["20100119227", "20999990038", PERSON, ABSENT, "20100119228", "12345678"].join("\n");
    let list = keep(&mut owner, &format!("ruc\n{file}")).await;
    let seen = owner.get(&list).await;
    let ran = seen.between("name=\"ran\" value=\"", "\"").to_owned();
    let fields = [("modo", "rucs"), ("ran", &*ran)];
    look_up(&mut owner, &list, &fields).await.location();
    owner.get(&list).await.assert_contains("0 de 4 consultados.");
    // The form is sent twice, before the run and after it.
    look_up(&mut owner, &list, &fields).await.location();
    app.run_lists().await;
    look_up(&mut owner, &list, &fields).await.location();
    app.run_lists().await;
    assert_eq!(app.used(EMAIL).await, 4);
    let page = owner.get(&list).await;
    page.assert_all([
        "<b>3</b> en rojo",
        "<b>0</b> por mirar",
        "<b>1</b> sin dato",
        "<b>2</b> conformes",
        "MOLINOS &#38; HIJOS S.A.C.",
        "SIN CAPACIDAD OPERATIVA · NO HABIDO",
        "No existe",
        "el dígito verificador no corresponde",
        "Costó 4 consultas; le quedan 996 este mes.",
    ]);
    let red = page.body.find("20100119228").unwrap();
    assert!(
        red < page.body.find("MOLINOS &#38; HIJOS S.A.C.</a><span class=\"small muted number\">20100119227").unwrap()
    );
    let only = owner.get(&format!("{list}?estado=sin-dato")).await;
    assert!(only.body.contains("12345678") && !only.body.contains("20100119228"));
    // After a new log-in.
    let mut again = Browser::new(app);
    app.log_in(&mut again, EMAIL).await;
    assert_eq!(again.get(&list).await.between("<tbody>", "</main>").len(), page.between("<tbody>", "</main>").len());
}

#[actix_web::test]
async fn a_list_is_nobody_elses() {
    let (app, mut owner) = owner().await;
    let mut other = app.signed_in("luz@kuraka.example").await;
    let (list, _) = looked_up(&mut owner, FILE, &[("modo", "rucs")]).await;
    for path in [String::new(), ".xlsx".to_owned(), ".csv".to_owned()] {
        assert_eq!(other.get(&format!("{list}{path}")).await.status, StatusCode::NOT_FOUND);
    }
    for action in ["", "/consultar", "/detener", "/nombre", "/eliminar"] {
        let refused = other.submit(LIST, &format!("{list}{action}"), &[("modo", "rucs"), ("nombre", "x")]).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{action}");
    }
    for id in ["x", &"0".repeat(32), &"A".repeat(32), &"0".repeat(33)] {
        assert_eq!(owner.get(&format!("{LIST}/{id}")).await.status, StatusCode::NOT_FOUND, "{id}");
    }
    owner.get(&list).await.assert_contains("en rojo");
}

#[actix_web::test]
async fn a_run_goes_on_where_it_stopped() {
    let (app, mut owner) = owner().await;
    let list = keep(&mut owner, &many(250)).await;
    look_up(&mut owner, &list, &[("modo", "rucs")]).await.location();
    let leased = app.panel.lists.lease().await.unwrap().unwrap();
    let batches = std::cell::Cell::new(0);
    app.panel.run_list(leased, || batches.get() == 1, |_, _| batches.set(1)).await.unwrap();
    assert_eq!(app.used(EMAIL).await, 100);
    owner.get(&list).await.assert_contains("100 de 250 consultados.");
    // The server that stopped has given the run back.
    app.run_lists().await;
    assert_eq!(app.used(EMAIL).await, 250);
    owner.get(&list).await.assert_contains("<b>250</b> en rojo");
}

#[actix_web::test]
async fn a_run_that_its_owner_stops_goes_on_when_he_wants() {
    let (app, mut owner) = owner().await;
    let list = keep(&mut owner, &many(150)).await;
    look_up(&mut owner, &list, &[("modo", "rucs")]).await.location();
    let leased = app.panel.lists.lease().await.unwrap().unwrap();
    owner.submit(&list, &format!("{list}/detener"), &[]).await.location();
    app.panel.run_list(leased, || false, |_, _| {}).await.unwrap();
    assert_eq!(app.used(EMAIL).await, 0, "a batch in progress is not charged");
    result(&mut owner, &list, &[("modo", "rucs")]).await.assert_contains("150 RUC consultados");
    assert_eq!(app.used(EMAIL).await, 150);
}

#[actix_web::test]
async fn what_the_plan_does_not_pay_waits() {
    let (app, mut owner) = owner().await;
    app.use_queries_up_to(EMAIL, 998).await;
    let list = keep(&mut owner, FILE).await;
    let (_, page) = looked_up(&mut owner, &many(3), &[("modo", "rucs")]).await;
    page.assert_all(["Faltan consultas del plan: faltan 1 de 3.", "Costó 2 consultas; le quedan 0 este mes."]);
    assert_eq!(app.used(EMAIL).await, 1_000);
    let page = result(&mut owner, &list, &[("modo", "rucs")]).await;
    page.assert_contains("Faltan consultas del plan");
    assert_eq!(app.used(EMAIL).await, 1_000);
}

#[actix_web::test]
async fn results_stay_if_the_plan_does_not_pay_another_run() {
    let (app, mut owner) = owner().await;
    app.use_queries_up_to(EMAIL, 999).await;
    let (list, page) = looked_up(&mut owner, &many(1), &[("modo", "rucs")]).await;
    page.assert_contains("<b>1</b> en rojo");
    assert_eq!(look_up(&mut owner, &list, &[("modo", "rucs")]).await.status, 429);
    app.run_lists().await;
    owner.get(&list).await.assert_contains("<b>1</b> en rojo");
}

#[actix_web::test]
async fn what_the_files_cannot_tell_waits_and_is_not_charged() {
    let (app, mut owner) = owner().await;
    app.registry.fail(Ruc::parse(COMPANY).unwrap(), kuraka_ports::SourceErrorKind::Unreadable);
    let (_, page) = looked_up(&mut owner, "20100119227\n20999990038", &[("modo", "rucs")]).await;
    page.assert_contains("Faltan respuestas: faltan 1 de 2.");
    assert_eq!(app.used(EMAIL).await, 1);

    let empty = TestApp::new().await;
    let mut owner = empty.signed_in(EMAIL).await;
    let (list, page) = looked_up(&mut owner, "20100119227", &[("modo", "rucs")]).await;
    page.assert_contains("Faltan respuestas");
    page.assert_lacks("conjunto de datos");
    assert_eq!(empty.used(EMAIL).await, 0);
    for (state, words) in [(DatasetState::NeverImported, "no tiene"), (DatasetState::Unusable, "tiene dañado")] {
        empty.set_datasets(&[padron(), DatasetStatus { name: "retencion", state, edition: None, ..padron() }]);
        let words = format!("Este servicio {words} el conjunto de datos &#34;retencion&#34;");
        owner.get(&list).await.assert_contains(&words);
    }
}

#[actix_web::test]
async fn a_file_that_cannot_be_read_says_why() {
    let (_, mut owner) = owner().await;
    let rows = |count: usize| "20100119227\n".repeat(count).into_bytes();
    for (file, why) in [
        (Vec::new(), "Elija un archivo o pegue una lista."),
        (b"nombre\nMOLINOS".to_vec(), "Ninguna columna tiene RUC."),
        (rows(10_001), "Tiene más de 10,000 filas."),
        (b"PK\x03\x04".to_vec(), "No se pudo leer el libro"),
        (b"%PDF-1.7\n20100119227\n".to_vec(), "El archivo es un PDF"),
        (Vec::new(), "el archivo está vacío"),
        (b"\xff\xfer\0u\0c\0".to_vec(), "UTF-16"),
    ] {
        let refused = upload(&mut owner, &file, "").await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{why}");
        refused.assert_contains(why);
        refused.assert_lacks("Sus listas");
    }
    let list = upload(&mut owner, &rows(10_000), "").await.location().to_owned();
    owner.get(&list).await.assert_contains("10,000 filas con datos");
    for size in [(2 << 20) + 1, (3 << 20)] {
        let refused = upload(&mut owner, &vec![b'1'; size], "").await;
        assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
        refused.assert_all(["Se admiten hasta 2 MB.", "id=\"file\""]);
    }
    let both = upload(&mut owner, b"20100119227", "20999990038").await;
    assert_eq!(both.status, StatusCode::UNPROCESSABLE_ENTITY);
    both.assert_all(["deje solo uno de los dos", ">20999990038</textarea>"]);
}

#[actix_web::test]
async fn a_column_that_is_not_sure_is_asked_for() {
    let (_, mut owner) = owner().await;
    let unsure = "RUC;RUC\n20100119227;20999990038\n20999990038;20100119227\n";
    let list = keep(&mut owner, unsure).await;
    let page = owner.get(&list).await;
    page.assert_all([
        "name=\"columna_ruc\" required",
        "<option value=\"\" selected>Elija…</option>",
        "Más de una columna puede tener el RUC del proveedor: «RUC», «RUC».",
    ]);
    let refused = look_up(&mut owner, &list, &[("modo", "rucs")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    refused.assert_contains("Elija primero las columnas que faltan.");
    assert_eq!(owner.submit(&list, &list, &[("columna_ruc", "2"), ("fila", "1")]).await.location(), list);
    let page = owner.get(&list).await;
    page.assert_all(["<option value=\"2\" selected>RUC (columna 2)</option>", "Consultar 2 RUC"]);

    let own = "RUC,Nro. Doc. Ident.,Fecha,Fecha\n20999990071,20100119227,1/9/2026,2/9/2026\n\
               20999990071,20999990038,1/9/2026,2/9/2026\n";
    let list = keep(&mut owner, own).await;
    let page = owner.get(&list).await;
    page.assert_all([
        "<option value=\"2\" selected>Nro. Doc. Ident. (columna 2)</option>",
        "name=\"columna_fecha\" required",
    ]);
    owner.submit(&list, &list, &[("columna_fecha", "0")]).await.location();
    result(&mut owner, &list, &[("modo", "rucs")]).await.assert_lacks("20999990071");
}

#[actix_web::test]
async fn a_list_with_results_is_read_anew_in_a_copy() {
    let (_, mut owner) = owner().await;
    let list = keep(&mut owner, "RUC;Cliente\n20100119227;20999990038\n20100119227;20999990038\n").await;
    result(&mut owner, &list, &[("modo", "rucs")]).await;
    let copy = owner.submit(&list, &list, &[("columna_ruc", "2")]).await.location().to_owned();
    assert_ne!(copy, list);
    owner.get(&copy).await.assert_contains("<option value=\"2\" selected>Cliente (columna 2)</option>");
    owner.get(&list).await.assert_contains("<b>1</b> conforme<");
}

#[actix_web::test]
async fn a_list_is_named_and_deleted() {
    let (_, mut owner) = owner().await;
    let list = keep(&mut owner, FILE).await;
    let fields = [("nombre", " Setiembre <b> "), ("nota", "cliente 7")];
    owner.submit(&list, &format!("{list}/nombre"), &fields).await.location();
    let page = owner.get(LIST).await;
    page.assert_all(["Setiembre &#60;b&#62;", "cliente 7"]);
    assert_eq!(owner.submit(&list, &format!("{list}/eliminar"), &[]).await.location(), LIST);
    owner.get(LIST).await.assert_lacks("Setiembre");
    assert_eq!(owner.get(&list).await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn what_is_kept_is_downloaded_with_the_own_columns() {
    let (_, mut owner) = owner().await;
    let list = keep(&mut owner, FILE).await;
    assert_eq!(owner.get(&format!("{list}.csv")).await.status, StatusCode::NOT_FOUND, "it was not looked up");
    result(&mut owner, &list, &[("modo", "rucs")]).await;
    let csv = owner.get(&format!("{list}.csv")).await;
    assert_eq!(csv.header(&CONTENT_TYPE), "text/csv");
    assert_eq!(csv.header(&CONTENT_DISPOSITION), "attachment; filename=\"kuraka-lista-2026-11-20.csv\"");
    let lines: Vec<_> = csv.body.lines().collect();
    let headings = "\u{feff}Fila;Total CP;Nro Doc Identidad;Resultado;Situación;Observaciones;Nombre;Estado;Condición;";
    assert!(lines[0].starts_with(headings), "{}", csv.body);
    let begins = |line: usize, start: &str| assert!(lines[line].starts_with(start), "{}", csv.body);
    // Red first.
    begins(1, "3;2.00;20999990038;Rojo;SIN CAPACIDAD OPERATIVA · NO HABIDO · ACTIVO;");
    begins(3, "5;4.00;2.01001E+10;Sin dato;La hoja de cálculo acortó");
    begins(5, "2;1.00;20100119227;Conforme;ACTIVO · HABIDO;;MOLINOS & HIJOS S.A.C.;");
    assert_eq!(lines.len(), 7);
    csv.assert_contains(";Agentes de retención del IGV;");
    csv.assert_lacks(";retencion;");
    let xlsx = owner.open(TestRequest::get().uri(&format!("{list}.xlsx"))).await;
    assert_eq!(xlsx.status(), StatusCode::OK);
}

#[actix_web::test]
async fn a_form_with_too_many_parts_is_refused() {
    let (_, mut owner) = owner().await;
    let token = owner.get(LIST).await.form_token();
    let refused = owner.send(browser::upload(LIST, &token, b"20100119227", &[("x", ""); 20])).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
}

#[actix_web::test]
async fn a_large_form_without_a_session_is_not_read() {
    let (app, mut owner) = owner().await;
    let request = || TestRequest::post().uri(LIST).insert_header(("Sec-Fetch-Site", "same-origin"));
    let request = || request().insert_header((CONTENT_TYPE, "multipart/form-data; boundary=x"));
    let read = owner.send(request().set_payload("no form")).await;
    let unread = app.answer(request().set_payload("no form")).await;
    assert_eq!((read.status, unread.status), (StatusCode::BAD_REQUEST, StatusCode::SEE_OTHER));
}

#[actix_web::test]
async fn days_that_are_not_covered_are_told_before_and_cost_nothing() {
    let (app, mut owner) = owner().await;
    let text = "RUC\tFecha\n20100119227\t20/11/2026\n20100119227\t2026-11-20\n20999990038\t1/1/2000\n20999990038\t";
    let list = keep(&mut owner, text).await;
    let page = owner.get(&list).await;
    page.assert_all([
        "1 RUC con su fecha: el registro de este servicio no cubre su fecha. Se dejan sin dato, gratis.",
        "Consultar 2 RUC con su fecha (1 consulta)",
    ]);
    let page = result(&mut owner, &list, &[("modo", "fechas"), ("sin_dato", "omitir")]).await;
    page.assert_all([
        "href=\"/panel/consultar/20100119227?fecha=2026-11-20&amp;lista=",
        "HABIDO · ACTIVO",
        "El historial no cubre el 1 ene 2000.",
        "No tiene fecha",
        "<b>2</b> sin dato",
        "<b>2</b> conformes",
    ]);
    assert_eq!(app.used(EMAIL).await, 1);
}
