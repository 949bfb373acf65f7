//! `/panel/seguimiento`: RUCs are added, shown with problems first, downloaded and removed.

use std::time::Duration;

use actix_web::http::StatusCode;
use kuraka_domain::{Ruc, RucKind};
use kuraka_ports::contract::samples::watch_limits;
use kuraka_ports::{WatchLists, WatchedRuc};

use crate::list::{keep, result};
use crate::taxpayers::{COMPANY, PERSON, incapable, profile};
use crate::test_app::TestApp;

const PAGE: &str = "/panel/seguimiento";

#[actix_web::test]
async fn watched_rucs_are_added_shown_downloaded_and_removed() {
    let app = TestApp::new().await;
    let bad = incapable(profile("20999990038", "ACTIVO", "NO HABIDO"));
    app.publish([profile(COMPANY, "ACTIVO", "HABIDO"), bad], &[], &[]);
    let mut owner = app.signed_in("ana@kuraka.example").await;
    let text = format!("{COMPANY} 20999990038\n20100119228");
    let added = owner.submit(PAGE, PAGE, &[("text", &text)]).await;
    assert_eq!(added.status, StatusCode::OK);
    assert!(added.body.contains("Se agregaron 2 RUC.") && added.body.contains("El RUC es incorrecto"));
    let page = owner.get(PAGE).await.body;
    let place = |ruc: &str| page.find(&format!("value=\"{ruc}\"")).unwrap();
    assert!(place("20999990038") < place(COMPANY));
    let file = owner.get("/panel/seguimiento.csv").await.body;
    assert!(file.starts_with("ruc,codigo,nombre_o_razon_social,estado,condicion,fecha,dato,antes,despues\r\n"));
    assert!(file.contains("\r\n20999990038,,"));
    owner.submit(PAGE, "/panel/seguimiento/quitar", &[("ruc", COMPANY)]).await.location();
    let page = owner.get(PAGE).await.body;
    assert!(page.contains("value=\"20999990038\"") && !page.contains(&format!("value=\"{COMPANY}\"")));
    app.clock.advance(Duration::from_secs(2));
    for wrong in ["", "nada"] {
        let refused = owner.submit(PAGE, PAGE, &[("text", wrong)]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

#[actix_web::test]
async fn the_suppliers_of_a_list_are_watched_with_their_codes() {
    let app = TestApp::new().await;
    app.publish([profile(COMPANY, "ACTIVO", "HABIDO"), profile("20999990038", "ACTIVO", "NO HABIDO")], &[], &[]);
    let mut owner = app.signed_in("ana@kuraka.example").await;
    let text = format!("Código proveedor;RUC\nP-0042;{COMPANY}\nP-0043;20999990038\nP-0044;20100119228\n");
    let list = keep(&mut owner, &text).await;
    result(&mut owner, &list, &[("modo", "rucs")]).await;
    let red = owner.submit(&list, &format!("{list}/seguir"), &[("estado", "rojo")]).await;
    red.assert_contains("Se agregó 1 RUC.");
    red.assert_contains("20999990038 · P-0043");
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
    let mut owner = app.signed_in("ana@kuraka.example").await;
    let text = format!("{COMPANY}\n{PERSON}\n15123456782");
    let hidden = ["QUISPE", "NO HABIDO"];
    let added = owner.submit(PAGE, PAGE, &[("text", &text)]).await;
    let file = owner.get("/panel/seguimiento.csv").await;
    added.assert_contains("24 horas después de agregarla");
    added.assert_contains(&format!("value=\"{PERSON}\""));
    assert!(file.body.contains(&format!("\r\n{PERSON},,,,,,,,\r\n")), "{}", file.body);
    assert!(file.body.contains("ACTIVO,HABIDO"), "a company is shown");
    for text in hidden {
        added.assert_lacks(text);
        file.assert_lacks(text);
    }
    app.clock.advance(Duration::from_secs(24 * 3_600 - 1));
    app.log_in(&mut owner, "ana@kuraka.example").await;
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
    let app = TestApp::new().await;
    let mut owner = app.signed_in("ana@kuraka.example").await;
    let rucs = |start: u32| -> Vec<Ruc> {
        (start..start + 1_000).map(|body| Ruc::from_parts(RucKind::LegalPerson, body).unwrap()).collect()
    };
    let id = app.account("ana@kuraka.example").await.id;
    for (add, remove) in [(rucs(0), Vec::new()), (rucs(1_000), rucs(0)), (Vec::new(), rucs(1_000))] {
        let add: Vec<_> = add.into_iter().map(|ruc| WatchedRuc { ruc, code: None }).collect();
        app.store.change(id, &add, &remove, watch_limits(1_000)).await.unwrap().unwrap();
    }
    let text = "20100119227";
    let added = owner.submit(PAGE, PAGE, &[("text", text)]).await;
    added.assert_contains("Se agregó 1 RUC.");
    assert_eq!(added.call.unwrap().queries(), 1);
    app.use_queries_up_to("ana@kuraka.example", 1_000).await;
    owner.submit(PAGE, "/panel/seguimiento/quitar", &[("ruc", text)]).await.location();
    let refused = owner.submit(PAGE, PAGE, &[("text", "20999990038")]).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    refused.assert_contains("Esto cuesta 1 consulta, y de su plan le quedan 0");
}

#[actix_web::test]
async fn the_statuses_of_a_list_count_for_the_rate_and_cost_nothing() {
    let app = TestApp::new().await;
    let mut owner = app.signed_in("ana@kuraka.example").await;
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
