//! `/panel/seguimiento`: RUCs are added, searched, filtered, sorted, downloaded, removed and put back.

use std::time::Duration;

use actix_web::http::StatusCode;
use kuraka_domain::{Ruc, RucKind};
use kuraka_ports::contract::samples::watch_limits;
use kuraka_ports::{WatchListId, WatchLists, WatchedRuc};

use crate::browser::{Browser, Response, upload};
use crate::list::looked_up;
use crate::sheet_history::{history, record};
use crate::taxpayers::{ABSENT, COMPANY, PERSON, profile, ruc};
use crate::test_app::{EMAIL, TestApp};

const PAGE: &str = "/panel/seguimiento";
const SEARCH: &str = "/panel/seguimiento/buscar";
const BAD: &str = "20999990038";
const OLD: &str = "20100070970";

/// The RUCs of the table, in its order.
fn table(page: &Response) -> Vec<&str> {
    let rows = page.body.split("type=\"submit\" name=\"ruc\" value=\"").skip(1);
    rows.map(|row| row.split('"').next().unwrap()).collect()
}

/// Five RUCs with codes: one changed in this month, one before, one is NO HABIDO, a person is hidden, one is not known.
async fn watched(app: &TestApp) -> Browser<'_> {
    let named = |number: &str, name: &str, condition: &str| {
        let mut profile = profile(number, "ACTIVO", condition);
        name.clone_into(&mut profile.summary.name);
        profile
    };
    let profiles = [
        named(COMPANY, "PAPELERA ÑANDÚ S.A.C.", "HABIDO"),
        named(BAD, "AGRO SUR", "NO HABIDO"),
        named(OLD, "ZAPATOS", "HABIDO"),
        named(PERSON, "QUISPE MAMANI ROSA", "NO HABIDO"),
    ];
    app.publish(profiles, &[], &[]);
    app.registry.record(ruc(COMPANY), history());
    let mut old = history();
    old.flags.clear();
    // The last change is 31 days old.
    old.summaries.record = record("padron", &["2026-10-01", "2026-10-05", "2026-10-20", "2026-11-20"]);
    app.registry.record(ruc(OLD), old);
    let mut owner = app.signed_in(EMAIL).await;
    let text = format!("RUC;Código proveedor\n{COMPANY};P-9\n{BAD};B-7\n{OLD};\n{PERSON};A-1\n{ABSENT};\n");
    owner.submit(PAGE, PAGE, &[("text", &text)]).await.assert_contains("Se agregaron 5 RUC.");
    owner
}

#[actix_web::test]
async fn the_table_is_sorted_and_filtered() {
    let app = TestApp::new().await;
    let mut owner = watched(&app).await;
    let page = owner.get(PAGE).await;
    page.assert_all([
        "<strong>15 nov 2026: Condición: NO HABIDO → HABIDO</strong>",
        "data-label=\"Último cambio\">20 oct 2026: Condición",
    ]);
    page.assert_all([
        "<b>1</b> con novedad<",
        "<b>2</b> en rojo<",
        "<b>0</b> por mirar<",
        "<b>1</b> sin dato<",
        "<b>2</b> conformes<",
    ]);
    for (query, rucs) in [
        ("", vec![COMPANY, BAD, ABSENT, PERSON, OLD]),
        ("orden=situacion", vec![BAD, ABSENT, PERSON, OLD, COMPANY]),
        ("orden=nombre", vec![BAD, COMPANY, OLD, PERSON, ABSENT]),
        ("orden=codigo", vec![PERSON, BAD, COMPANY, OLD, ABSENT]),
        ("estado=novedades", vec![COMPANY]),
        ("estado=rojo&orden=nombre", vec![BAD, ABSENT]),
        ("estado=mirar", vec![]),
        ("estado=sin-dato", vec![PERSON]),
        ("estado=conforme&orden=nombre", vec![COMPANY, OLD]),
        ("estado=x&orden=x&pagina=-1", vec![COMPANY, BAD, ABSENT, PERSON, OLD]),
    ] {
        app.clock.advance(Duration::from_secs(1));
        let page = owner.get(&format!("{PAGE}?{query}")).await;
        assert_eq!(table(&page), rucs, "{query}");
    }
    app.clock.advance(Duration::from_secs(1));
    let file = owner.get("/panel/seguimiento.csv").await.body;
    assert!(
        file.starts_with("ruc,codigo,nombre_o_razon_social,estado,condicion,fecha,dato,antes,despues\r\n"),
        "{file}"
    );
    assert!(file.contains(&format!("\r\n{BAD},B-7,AGRO SUR,ACTIVO,NO HABIDO,")), "{file}");
}

#[actix_web::test]
async fn an_absence_is_red_only_if_the_padron_proves_it() {
    let (app, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    owner.submit(PAGE, PAGE, &[("text", ABSENT)]).await.assert_contains("Se agregó 1 RUC.");
    let red = owner.get(&format!("{PAGE}?estado=rojo")).await;
    assert_eq!(table(&red), [ABSENT]);
    red.assert_contains("No existe</span>");
    // The padrón may be 7 days old.
    app.clock.advance(Duration::from_secs(9 * 86_400));
    app.log_in(&mut owner, EMAIL).await;
    let unknown = owner.get(&format!("{PAGE}?estado=sin-dato")).await;
    assert_eq!(table(&unknown), [ABSENT]);
    unknown.assert_all(["No se sabe si existe</span>", "<b>0</b> en rojo<"]);
}

#[actix_web::test]
async fn a_search_by_name_ruc_or_code_is_in_no_address() {
    let app = TestApp::new().await;
    let mut owner = watched(&app).await;
    for (text, rucs) in [
        ("nandu papel", vec![COMPANY]),
        ("s.a.c", vec![COMPANY]),
        ("zapatos agro", vec![]),
        ("0999990", vec![BAD, PERSON]),
        ("p-9", vec![COMPANY]),
        (PERSON, vec![PERSON]),
        // The person was added today.
        ("quispe", vec![]),
    ] {
        app.clock.advance(Duration::from_secs(2));
        let page = owner.submit(PAGE, SEARCH, &[("q", text), ("orden", "situacion")]).await;
        assert_eq!((page.status, table(&page)), (StatusCode::OK, rucs), "{text}");
        page.assert_contains(&format!("name=\"q\" type=\"search\" value=\"{text}\""));
        page.assert_lacks("q=");
    }
    app.clock.advance(Duration::from_secs(2));
    let all = owner.submit(PAGE, SEARCH, &[("q", " "), ("estado", "rojo"), ("orden", "nombre")]).await;
    assert_eq!(all.location(), "/panel/seguimiento?estado=rojo&orden=nombre&pagina=1#filas");
    let hostile = owner.submit(PAGE, SEARCH, &[("q", "<b>\"x")]).await;
    hostile.assert_lacks("<b>\"x");
    hostile.assert_contains("Ningún RUC de su seguimiento es así.");
}

#[actix_web::test]
async fn a_removal_is_undone_with_its_code() {
    let app = TestApp::new().await;
    let mut owner = watched(&app).await;
    let form = [("ruc", COMPANY), ("q", "papelera"), ("estado", "novedades")];
    let removed = owner.submit(PAGE, "/panel/seguimiento/quitar", &form).await;
    removed.assert_contains(&format!("Se quitó {COMPANY} de su seguimiento."));
    removed.assert_all(["name=\"codigo\" value=\"P-9\"", ">Deshacer</button>", "value=\"papelera\""]);
    assert_eq!(table(&removed), Vec::<&str>::new());
    app.clock.advance(Duration::from_secs(2));
    owner.submit(PAGE, "/panel/seguimiento/quitar", &form).await.assert_lacks("Se quitó");
    let back = owner.submit(PAGE, "/panel/seguimiento/reponer", &[("ruc", COMPANY), ("codigo", "P-9")]).await;
    back.assert_all(["Se agregó 1 RUC.", &format!("{COMPANY} · P-9")]);
    app.clock.advance(Duration::from_secs(2));
    let removed = owner.submit(PAGE, "/panel/seguimiento/quitar", &[("ruc", PERSON)]).await;
    removed.assert_contains("se verán 24 horas después");
    assert_eq!(app.used(EMAIL).await, 0);
}

#[actix_web::test]
async fn a_page_has_at_most_200_rows() {
    let (app, mut owner) = TestApp::owner().await;
    let rucs = (1..=401).map(|body| Ruc::from_parts(RucKind::LegalPerson, body).unwrap().to_string());
    let rucs: Vec<String> = rucs.collect();
    let added = owner.submit(PAGE, PAGE, &[("text", &rucs.join("\n"))]).await;
    let mut seen: Vec<String> = table(&added).iter().map(ToString::to_string).collect();
    assert_eq!(seen.len(), 200);
    for (page, other) in [("2", "3"), ("3", "2")] {
        let address = format!("/panel/seguimiento?estado=sin-dato&orden=codigo&pagina={page}");
        let page = owner.get(&address).await;
        seen.extend(table(&page).iter().map(ToString::to_string));
        page.assert_contains(&format!("href=\"{PAGE}?estado=sin-dato&#38;orden=codigo&#38;pagina={other}#filas\""));
    }
    assert_eq!(seen, rucs);
    assert_eq!(table(&owner.get("/panel/seguimiento?pagina=99").await).len(), 1);
    app.clock.advance(Duration::from_secs(2));
    let found = owner.submit(PAGE, SEARCH, &[("q", "20")]).await;
    found.assert_contains("Se muestran 200 de 401: escriba algo más");
    assert_eq!(table(&found).len(), 200);
}

#[actix_web::test]
async fn what_is_not_added_is_told() {
    let (app, mut owner) = TestApp::owner().await;
    for wrong in ["", "nada"] {
        let refused = owner.submit(PAGE, PAGE, &[("text", wrong)]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let bad = (0..7).map(|digit| format!("2010011922{digit}")).collect::<Vec<_>>().join("\n");
    let text = format!("RUC\n{COMPANY}\n{COMPANY}\n{BAD}\n{bad}");
    owner.submit(PAGE, PAGE, &[("text", COMPANY)]).await;
    let added = owner.submit(PAGE, PAGE, &[("text", &text)]).await;
    added.assert_all([
        "Se agregó 1 RUC. 1 ya estaba.",
        "No se agregaron 7 filas:",
        "<li>Fila 5: ",
        "<li>Fila 9: ",
        "Y 2 más.",
    ]);
    added.assert_lacks("Fila 10: ");
    app.clock.advance(Duration::from_secs(2));
    let none = owner.submit(PAGE, PAGE, &[("text", "RUC\n20100119228\n20100119228")]).await;
    none.assert_contains("No se agregaron 2 filas:");
    none.assert_lacks("class=\"note good\"");
    let many = (1..=999).map(|body| Ruc::from_parts(RucKind::LegalPerson, body).unwrap().to_string());
    let full = owner.submit(PAGE, PAGE, &[("text", &many.collect::<Vec<_>>().join("\n"))]).await;
    assert_eq!(full.status, StatusCode::UNPROCESSABLE_ENTITY);
    full.assert_contains("Su plan permite seguir 1,000 RUC y caben 998 más: no se agregó ninguno.");
    app.clock.advance(Duration::from_secs(2));
    let token = owner.get(PAGE).await.form_token();
    let refused = owner.send(upload(PAGE, &token, &vec![b'1'; 3 << 20], &[])).await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    refused.assert_all(["Se admiten hasta 2 MB.", "id=\"file\""]);
}

#[actix_web::test]
async fn the_suppliers_of_a_list_are_watched_with_their_codes() {
    let (_, mut owner) =
        TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO"), profile("20999990038", "ACTIVO", "NO HABIDO")])
            .await;
    let text = format!("Código proveedor;RUC\nP-0042;{COMPANY}\nP-0043;20999990038\nP-0044;20100119228\n");
    let (list, _) = looked_up(&mut owner, &text, &[("modo", "rucs")]).await;
    let red = owner.submit(&list, &format!("{list}/seguir"), &[("estado", "rojo")]).await;
    red.assert_all(["Se agregó 1 RUC.", "20999990038 · P-0043"]);
    owner.submit(&list, &format!("{list}/seguir"), &[("estado", "")]).await.assert_contains("Se agregó 1 RUC.");
    let file = owner.get("/panel/seguimiento.csv").await.body;
    assert!(file.contains(&format!("\r\n{COMPANY},P-0042,")) && file.contains("\r\n20999990038,P-0043,"), "{file}");
    owner
        .submit(PAGE, PAGE, &[("text", &format!("RUC;Código proveedor\n{PERSON};Z-1\n"))])
        .await
        .assert_contains("Z-1");
}

#[actix_web::test]
async fn a_person_is_shown_when_it_has_been_watched_for_a_day() {
    let app = TestApp::new().await;
    let [mut person, mut estate] = [PERSON, "15123456782"].map(|ruc| profile(ruc, "ACTIVO", "NO HABIDO"));
    person.summary.name = "QUISPE MAMANI ROSA".to_owned();
    estate.summary.name = "SUCESION QUISPE".to_owned();
    app.publish([profile(COMPANY, "ACTIVO", "HABIDO"), person, estate], &[], &[]);
    let mut owner = app.signed_in(EMAIL).await;
    let text = format!("{COMPANY}\n{PERSON}\n15123456782");
    let hidden = ["QUISPE", "NO HABIDO"];
    let added = owner.submit(PAGE, PAGE, &[("text", &text)]).await;
    let file = owner.get("/panel/seguimiento.csv").await;
    added.assert_all(["24 horas después de agregarla", &format!("value=\"{PERSON}\"")]);
    assert!(file.body.contains(&format!("\r\n{PERSON},,,,,,,,\r\n")), "{}", file.body);
    assert!(file.body.contains("ACTIVO,HABIDO"), "a company is shown");
    for text in hidden {
        added.assert_lacks(text);
        file.assert_lacks(text);
    }
    app.clock.advance(Duration::from_secs(24 * 3_600 - 1));
    app.log_in(&mut owner, EMAIL).await;
    owner.get(PAGE).await.assert_lacks("QUISPE");
    app.clock.advance(Duration::from_secs(1));
    // Adding it again changes nothing.
    owner.submit(PAGE, PAGE, &[("text", &text)]).await;
    let (page, file) = (owner.get(PAGE).await, owner.get("/panel/seguimiento.csv").await);
    page.assert_lacks("24 horas");
    for text in hidden {
        page.assert_contains(text);
        file.assert_contains(text);
    }
}

#[actix_web::test]
async fn a_list_is_no_free_lookup() {
    let (app, mut owner) = TestApp::owner().await;
    let rucs = |start: u32| -> Vec<Ruc> {
        (start..start + 1_000).map(|body| Ruc::from_parts(RucKind::LegalPerson, body).unwrap()).collect()
    };
    let id = app.account(EMAIL).await.id;
    for (add, remove) in [(rucs(0), Vec::new()), (rucs(1_000), rucs(0)), (Vec::new(), rucs(1_000))] {
        let add: Vec<_> = add.into_iter().map(|ruc| WatchedRuc { ruc, code: None }).collect();
        app.store.change(WatchListId::live(id), &add, &remove, watch_limits(1_000)).await.unwrap().unwrap();
    }
    let text = "20100119227";
    let added = owner.submit(PAGE, PAGE, &[("text", text)]).await;
    added.assert_contains("Se agregó 1 RUC.");
    assert_eq!(added.call.unwrap().queries(), 1);
    let removed = owner.submit(PAGE, "/panel/seguimiento/quitar", &[("ruc", text)]).await;
    removed.assert_contains(">Deshacer (1 consulta)</button>");
    app.clock.advance(Duration::from_secs(2));
    let back = owner.submit(PAGE, "/panel/seguimiento/reponer", &[("ruc", text), ("codigo", "")]).await;
    assert_eq!(back.call.unwrap().queries(), 1);
    app.use_queries_up_to(EMAIL, 1_000).await;
    let refused = owner.submit(PAGE, PAGE, &[("text", "20999990038")]).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    refused.assert_contains("Esto cuesta 1 consulta, y de su plan le quedan 0");
}

#[actix_web::test]
async fn the_statuses_of_a_list_count_for_the_rate_and_cost_nothing() {
    let (_, mut owner) = TestApp::owner().await;
    let (file, text) = ("/panel/seguimiento.csv", [("text", COMPANY)]);
    assert_eq!(owner.submit(PAGE, PAGE, &text).await.status, StatusCode::OK);
    // The plan's burst.
    for page in [PAGE, file].repeat(4) {
        assert_eq!(owner.get(page).await.status, StatusCode::OK);
    }
    for page in [PAGE, file] {
        assert_eq!(owner.get(page).await.status, StatusCode::TOO_MANY_REQUESTS);
    }
    owner.get("/panel/consumo").await.assert_contains("id=\"used\">0<");
}
