//! `/panel`: what changed since the last visit, lists, plan, age of the data; and the menu.

use std::time::Duration;

use actix_web::http::StatusCode;
use kuraka_domain::{Date, Ruc};
use kuraka_ports::{ChangedDatum, DatumChange, FeedChange, WatchListId, WatchLists, WatchedRuc};

use crate::list::keep;
use crate::taxpayers::{COMPANY, PERSON, profile};
use crate::test_app::{EMAIL, TestApp};
use kuraka_ports::contract::samples::watch_limits;

const BAD: &str = "20999990038";

fn condition(ruc: &str, day: &str, [before, after]: [&str; 2]) -> FeedChange {
    let [before, after] = [before, after].map(|text| text.to_owned().into());
    let what = DatumChange { datum: ChangedDatum::Condition, before, after };
    FeedChange { ruc: Ruc::parse(ruc).unwrap(), date: Date::parse(day).unwrap(), edition: "e".into(), what }
}

#[actix_web::test]
async fn home_tells_what_changed_since_the_last_visit_and_again_after_a_reload() {
    let (app, mut owner) =
        TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO"), profile(BAD, "ACTIVO", "NO HABIDO")]).await;
    app.publish_change(condition(COMPANY, "2026-11-19", ["NO HABIDO", "HABIDO"]));
    owner.get("/panel").await.assert_contains("Todavía no sigue a nadie");
    let watched = format!("{COMPANY} {BAD}");
    owner.submit("/panel/seguimiento", "/panel/seguimiento", &[("text", &watched)]).await;
    app.clock.advance(Duration::from_secs(5));
    app.log_in(&mut owner, EMAIL).await;
    owner.get("/panel").await.assert_contains("Sin cambios desde su última visita: sigue 2 RUC.");

    app.publish_change(condition(BAD, "2026-11-20", ["HABIDO", "NO HABIDO"]));
    app.publish_change(condition("20100119227", "2026-11-20", ["HABIDO", "NO HALLADO"]));
    for _ in 0..2 {
        let page = owner.get("/panel").await;
        page.assert_all(["Qué cambió desde su última visita", "20 nov 2026: Condición: HABIDO → NO HABIDO"]);
    }
    assert_eq!(app.used(EMAIL).await, 0);
    app.clock.advance(Duration::from_secs(5));
    app.log_in(&mut owner, EMAIL).await;
    owner.get("/panel").await.assert_contains("Sin cambios desde su última visita");

    owner.cookies.remove("kuraka-seen");
    let page = owner.get("/panel").await;
    page.assert_contains("Qué cambió en los últimos 30 días");
    let broken = ["..", "a.b.c", "x", "a.b.c.d.e", &"a".repeat(3_000)];
    for cookie in broken {
        owner.cookies.insert("kuraka-seen".to_owned(), cookie.to_owned());
        app.clock.advance(Duration::from_secs(5));
        assert_eq!(owner.get("/panel").await.status, StatusCode::OK, "{cookie}");
    }
}

#[actix_web::test]
async fn a_person_is_not_shown_on_the_day_it_was_added() {
    let (app, mut owner) = TestApp::publishing([profile(PERSON, "ACTIVO", "HABIDO")]).await;
    app.publish_change(condition(PERSON, "2026-11-20", ["NO HABIDO", "HABIDO"]));
    let watched = WatchedRuc { ruc: Ruc::parse(PERSON).unwrap(), code: None };
    let limits = watch_limits(10);
    let account = app.account(EMAIL).await.id;
    let limits = kuraka_ports::WatchLimits { now: kuraka_ports::Clock::now(&*app.clock), ..limits };
    WatchLists::change(&*app.store, WatchListId::live(account), &[watched], &[], limits).await.unwrap().unwrap();
    let page = owner.get("/panel").await;
    page.assert_contains(PERSON);
    page.assert_lacks("NO HABIDO → HABIDO");
    app.clock.advance(Duration::from_secs(24 * 60 * 60));
    app.log_in(&mut owner, EMAIL).await;
    owner.cookies.remove("kuraka-seen");
    owner.get("/panel").await.assert_contains("NO HABIDO → HABIDO");
}

#[actix_web::test]
async fn home_shows_lists_the_plan_and_the_age_of_the_data() {
    let (app, mut owner) = TestApp::publishing([profile(COMPANY, "ACTIVO", "HABIDO")]).await;
    let list = keep(&mut owner, COMPANY).await;
    app.use_queries_up_to(EMAIL, 999).await;
    let page = owner.get("/panel").await;
    page.assert_all([
        &*format!("href=\"{list}\""),
        "Sin consultar",
        "1 consulta<",
        "de 1,000",
        "1 dic",
        "20 nov 2026",
        "hoy",
    ]);
}

#[actix_web::test]
async fn the_menu_has_four_tabs_then_other_pages_then_programmers() {
    let app = TestApp::new().await;
    let page = app.signed_in(EMAIL).await.get("/panel/consumo").await;
    let menu = page.between("aria-label=\"Secciones\">", "</nav>");
    let (tabs, rest) = menu.split_once("</ul>").unwrap();
    let titles = |part: &str| {
        let links = part.split("</a>").filter_map(|link| link.rsplit_once("</svg>")).map(|(_, title)| title.to_owned());
        links.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(titles(tabs), "Inicio, Consultar, Lista, Seguimiento");
    let (more, rest) = rest.split_once("</details>").unwrap();
    let (summary, more) = more.split_once("</summary>").unwrap();
    assert!(summary.contains("Más"));
    let all = "Tipo de cambio, Consumo y plan, Servicio, Cuenta, Api Tokens, Avisos, Probar, Documentación";
    assert_eq!([titles(more), titles(rest)], [all, all]);
    assert_eq!(menu.matches("aria-current=\"page\"").count(), 2);
}
