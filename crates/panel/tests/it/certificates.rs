//! Certificates: what they say, who sees them, what they cost.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderName, REFERRER_POLICY, RETRY_AFTER};
use kuraka_app::DeleteOldRows;
use kuraka_ports::Certificates;

use crate::browser::{Browser, Response};
use crate::list::{keep, result};
use crate::sheet_history::history;
use crate::taxpayers::{ABSENT, COMPANY, PERSON, date, incapable, profile, ruc};
use crate::test_app::{EMAIL, PASSWORD, TestApp};

const MAKE: &str = "/panel/constancia";

async fn owner() -> (&'static TestApp, Browser<'static>) {
    let known = [profile(COMPANY, "ACTIVO", "HABIDO"), profile(PERSON, "BAJA DE OFICIO", "NO HABIDO")];
    let (app, owner) = TestApp::publishing(known).await;
    app.registry.record(ruc(COMPANY), history());
    (app, owner)
}

async fn make(owner: &mut Browser<'_>, fields: &[(&str, &str)]) -> Response {
    owner.submit("/panel/cuenta", MAKE, fields).await
}

/// Makes a certificate, and returns its path.
async fn made(owner: &mut Browser<'_>, fields: &[(&str, &str)]) -> String {
    let response = make(owner, fields).await;
    assert_eq!(response.status, StatusCode::SEE_OTHER);
    let path = response.location().to_owned();
    let code = path.strip_prefix("/constancia/").unwrap();
    assert!(code.len() == 32 && code.bytes().all(|b| b.is_ascii_hexdigit()), "{code}");
    path
}

/// Opens a page without a log-in.
async fn seen(app: &TestApp, path: &str) -> Response {
    Browser::new(app).get(path).await
}

#[actix_web::test]
async fn whoever_has_the_code_sees_what_the_server_answered() {
    let (app, mut owner) = owner().await;
    let forged = [("ruc", COMPANY), ("oficina", "Estudio Ñandú & Cía."), ("estado", "BAJA"), ("nombre", "OTRO")];
    let path = made(&mut owner, &forged).await;
    assert_eq!(app.used(EMAIL).await, 1);
    let page = seen(app, &path).await;
    assert_eq!(page.status, StatusCode::OK);
    page.assert_all([
        "por «Estudio Ñandú &#38; Cía.», según quien la emitió",
        "MOLINOS &#38; HIJOS S.A.C.",
        COMPANY,
        "<td data-label=\"Estado\">ACTIVO</td><td data-label=\"Condición\">HABIDO</td>",
        "19 nov 2026",
        "2026-11-19-padron",
        &"0a".repeat(32),
        "Emitida el 20 nov 2026, 10:00",
        &format!("http://panel.example{path}"),
    ]);
    page.assert_none(["AV. LIMA", "Agentes de retención", "MOLIENDA", "BAJA", "OTRO", EMAIL]);
    assert_ne!(made(&mut owner, &forged).await, path);
    // Another edition does not change it.
    app.publish([profile(COMPANY, "BAJA DE OFICIO", "NO HABIDO")], &[], &[]);
    seen(app, &path).await.assert_lacks("BAJA");
}

#[actix_web::test]
async fn a_certificate_of_a_day_says_what_was_recorded_of_it() {
    let (app, mut owner) = owner().await;
    let path = made(&mut owner, &[("ruc", COMPANY), ("fecha", "2026-11-12")]).await;
    let page = seen(app, &path).await;
    page.assert_all(["12 nov 2026", "NO HABIDO", "2026-11-10-abcdef01", "<code>abcdef01…</code>"]);
    page.assert_lacks("2026-11-19-padron");
    assert_eq!(app.used(EMAIL).await, 1);
}

#[actix_web::test]
async fn a_list_its_file_a_sheet_and_certificates_say_the_same_of_operating_capacity() {
    // The record of that list does not cover the day, and today's list says since when.
    for (since, is_known) in [("2026-11-12", true), ("2026-11-13", false)] {
        let (app, mut owner) = owner().await;
        let mut listed = incapable(profile(COMPANY, "ACTIVO", "HABIDO"));
        if let Some(Some(known)) = &mut listed.operating_incapacity {
            known.final_since = Some(date(since));
        }
        app.publish([listed], &[], &[]);
        let list = keep(&mut owner, &format!("RUC;Fecha\n{COMPANY};12/11/2026\n")).await;
        let page = result(&mut owner, &list, &[("modo", "fechas")]).await;
        let csv = owner.get(&format!("{list}.csv")).await.body;
        let sheet = format!("/panel/consultar/{COMPANY}?fecha=2026-11-12");
        let sheet = owner.follow(&sheet).await;
        for page in [&page, &sheet] {
            let words = "SIN CAPACIDAD OPERATIVA · NO HABIDO · ACTIVO<";
            assert_eq!(page.body.contains(words), is_known, "{}", page.body);
        }
        assert_eq!(csv.trim_end().ends_with(";SI"), is_known, "{csv}");
        let id = list.rsplit('/').next().unwrap();
        for fields in [vec![("lista", id)], vec![("ruc", COMPANY), ("fecha", "2026-11-12")]] {
            let path = made(&mut owner, &fields).await;
            let page = seen(app, &path).await;
            assert_eq!(page.body.contains(">ACTIVO · SIN CAPACIDAD OPERATIVA</td>"), is_known, "{}", page.body);
        }
    }
}

#[actix_web::test]
async fn what_is_not_known_is_not_certified() {
    let (app, mut owner) = owner().await;
    for (fields, status, used) in [
        (vec![("ruc", "20100119228")], StatusCode::BAD_REQUEST, 0),
        (vec![("ruc", "")], StatusCode::BAD_REQUEST, 0),
        (vec![("ruc", COMPANY), ("fecha", "2020-01-01")], StatusCode::BAD_REQUEST, 0),
        (vec![("ruc", COMPANY), ("fecha", "ayer")], StatusCode::UNPROCESSABLE_ENTITY, 0),
        (vec![("ruc", COMPANY), ("oficina", "<b>SUNAT</b>")], StatusCode::UNPROCESSABLE_ENTITY, 0),
        (vec![("ruc", COMPANY), ("oficina", "a\u{202e}b")], StatusCode::UNPROCESSABLE_ENTITY, 0),
        (vec![("ruc", COMPANY), ("oficina", &*"ñ".repeat(81))], StatusCode::UNPROCESSABLE_ENTITY, 0),
        (vec![("lista", "x")], StatusCode::NOT_FOUND, 0),
        (vec![("ruc", ABSENT)], StatusCode::NOT_FOUND, 1),
    ] {
        assert_eq!(make(&mut owner, &fields).await.status, status, "{fields:?}");
        assert_eq!(app.used(EMAIL).await, used, "{fields:?}");
    }
    let id = app.account(EMAIL).await.id;
    assert_eq!(app.store.certificates(id, 9).await.unwrap().len(), 0);
}

#[actix_web::test]
async fn a_lists_certificate_is_free_and_has_no_column_of_its_owner() {
    let (app, mut owner) = owner().await;
    let file = format!("ruc;glosa\n{COMPANY};secreto\n{PERSON};secreto\n{ABSENT};secreto\n20100119228;secreto\n");
    let list = keep(&mut owner, &file).await;
    let id = list.rsplit('/').next().unwrap().to_owned();
    assert_eq!(make(&mut owner, &[("lista", &id)]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    result(&mut owner, &list, &[("modo", "rucs")]).await;
    let used = app.used(EMAIL).await;
    let path = made(&mut owner, &[("lista", &id)]).await;
    assert_eq!(app.used(EMAIL).await, used);
    owner.submit("/panel/cuenta", &format!("{list}/eliminar"), &[]).await.location();
    let page = seen(app, &path).await;
    let left_out = "que no se consultaron: 1.";
    page.assert_all([
        COMPANY,
        "ACTIVO",
        PERSON,
        "BAJA DE OFICIO",
        ABSENT,
        "NO ESTABA EN EL PADRÓN",
        "2026-11-19-padron",
        left_out,
    ]);
    page.assert_none(["secreto", "glosa", "20100119228", "SANCION"]);
    let mut other = app.signed_in("luz@kuraka.example").await;
    assert_eq!(make(&mut other, &[("lista", &id)]).await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn the_days_of_a_list_are_certified_with_their_editions() {
    let (app, mut owner) = owner().await;
    let mut unknown = history();
    unknown.summaries.states = [(0, None)].into_iter().collect();
    app.registry.record(ruc(ABSENT), unknown);
    let list =
        keep(&mut owner, &format!("ruc;fecha\n{COMPANY};2026-11-12\n{COMPANY};2020-01-01\n{ABSENT};2026-11-13\n"))
            .await;
    result(&mut owner, &list, &[("modo", "fechas"), ("sin_dato", "omitir")]).await;
    owner.submit(&list, &format!("{list}/nombre"), &[("nombre", "Compras de Ana")]).await.location();
    let path = made(&mut owner, &[("lista", list.rsplit('/').next().unwrap())]).await;
    let page = seen(app, &path).await;
    page.assert_all(["12 nov 2026", "NO HABIDO", "2026-11-10-abcdef01", "fuera de esta constancia: 1.", "13 nov 2026"]);
    page.assert_lacks("Compras de Ana");
    owner.get("/panel/cuenta").await.assert_contains("Compras de Ana: 2 filas");
}

#[actix_web::test]
async fn a_wrong_code_and_a_deleted_one_have_one_answer() {
    let (app, mut owner) = owner().await;
    let mut other = app.signed_in("luz@kuraka.example").await;
    let path = made(&mut owner, &[("ruc", COMPANY)]).await;
    let code = path.rsplit('/').next().unwrap();
    owner.get("/panel/cuenta").await.assert_contains(&path);
    other.get("/panel/cuenta").await.assert_lacks(code);
    let delete = "/panel/constancia/eliminar";
    let refused = other.submit("/panel/cuenta", delete, &[("codigo", code)]).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    assert_eq!(seen(app, &path).await.status, StatusCode::OK);
    owner.submit("/panel/cuenta", delete, &[("codigo", code)]).await.location();
    let deleted = seen(app, &path).await;
    assert_eq!(deleted.status, StatusCode::NOT_FOUND);
    for wrong in ["0".repeat(32), "x".to_owned(), code.to_uppercase(), "0".repeat(33)] {
        let answer = seen(app, &format!("/constancia/{wrong}")).await;
        assert_eq!((answer.status, &answer.body), (deleted.status, &deleted.body), "{wrong}");
        assert_eq!(answer.headers.len(), deleted.headers.len());
    }
}

#[actix_web::test]
async fn a_certificate_is_neither_indexed_nor_cached_nor_told_to_others() {
    let (app, mut owner) = owner().await;
    let path = made(&mut owner, &[("ruc", COMPANY)]).await;
    for path in [&*path, "/constancia/0"] {
        let page = seen(app, path).await;
        assert_eq!(page.header(&REFERRER_POLICY), "no-referrer");
        assert_eq!(page.header(&CACHE_CONTROL), "no-store");
        assert!(page.header(&HeaderName::from_static("x-robots-tag")).contains("noindex"));
        page.assert_contains("<meta name=\"robots\" content=\"noindex\">");
        page.assert_lacks("form_token");
    }
}

#[actix_web::test]
async fn codes_are_limited_by_address() {
    let (app, mut owner) = owner().await;
    let path = made(&mut owner, &[("ruc", COMPANY)]).await;
    for _ in 0..60 {
        assert_eq!(seen(app, "/constancia/0").await.status, StatusCode::NOT_FOUND);
    }
    let late = owner.get(&path).await;
    assert_eq!((late.status, late.header(&RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, "60"));
    app.clock.advance(std::time::Duration::from_secs(60));
    assert_eq!(seen(app, &path).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn a_certificate_lives_five_years_or_as_long_as_its_account() {
    let (app, mut owner) = owner().await;
    let (first, second) = (made(&mut owner, &[("ruc", COMPANY)]).await, made(&mut owner, &[("ruc", PERSON)]).await);
    let day = std::time::Duration::from_secs(24 * 3_600);
    let (store, lists) = (app.store.clone(), app.panel.lists.clone());
    let old_rows = DeleteOldRows { store, lists, clock: app.clock.clone() };
    app.clock.advance(day * (5 * 365));
    old_rows.run().await;
    assert_eq!(seen(app, &first).await.status, StatusCode::OK);
    let mut owner = Browser::new(app);
    app.log_in(&mut owner, EMAIL).await;
    owner.submit("/panel/cuenta", "/panel/cuenta/eliminar", &[("password", PASSWORD)]).await.location();
    assert_eq!(seen(app, &second).await.status, StatusCode::NOT_FOUND);

    let path = made(&mut app.signed_in(EMAIL).await, &[("ruc", PERSON)]).await;
    app.clock.advance(day * (5 * 366));
    assert_eq!(seen(app, &path).await.status, StatusCode::NOT_FOUND, "also before it is swept");
    old_rows.run().await;
    assert!(app.state().contains("certificates: []"));
}
