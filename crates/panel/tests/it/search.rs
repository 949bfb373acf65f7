//! The search by name: results, suggestions, and what each costs.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::test::TestRequest;
use kuraka_domain::{ResultCode, TaxpayerProfile};

use crate::browser::{Browser, Response};
use crate::taxpayers::{COMPANY, PERSON, profile};
use crate::test_app::{EMAIL, PASSWORD, TestApp};

fn named(number: &str, name: &str, condition: &str) -> TaxpayerProfile {
    let mut profile = profile(number, "ACTIVO", condition);
    profile.summary.name = name.to_owned();
    profile
}

async fn owner() -> (&'static TestApp, Browser<'static>) {
    let person = named(PERSON, "MOLINOS ANA", "HABIDO");
    let others = ["20999990038", "20999990062"].map(|ruc| named(ruc, "MOLINOS <DEL> VALLE", "NO HABIDO"));
    TestApp::publishing([person, named(COMPANY, "MOLINOS & HIJOS", "HABIDO")].into_iter().chain(others)).await
}

#[actix_web::test]
async fn a_name_lists_companies_for_one_query() {
    let (_, mut owner) = owner().await;
    let found = owner.follow("/panel/consultar?q=molinos").await;
    assert_eq!((found.status, found.charged()), (StatusCode::OK, Some(("ruc-busqueda", 1, ResultCode::Found))));
    found.assert_all([
        "href=\"/panel/consultar/20100119227\"",
        "MOLINOS &#60;DEL&#62; VALLE",
        "class=\"mark good\"",
        "class=\"mark bad\"",
    ]);
    found.assert_lacks(PERSON);
    for ruc in ["+20100119227+", "RUC:+20100119227", "ruc+20.100.119.227", "20-10011922-7"] {
        let sheet = owner.follow(&format!("/panel/consultar?q={ruc}")).await;
        assert_eq!((sheet.location(), sheet.call.is_none()), ("/panel/consultar/20100119227", true));
    }
    let none = owner.follow("/panel/consultar?q=nada+igual").await;
    none.assert_contains("Ninguna empresa del padrón tiene esas palabras");
    assert_eq!(none.charged(), Some(("ruc-busqueda", 1, ResultCode::Found)));
}

#[actix_web::test]
async fn each_further_page_of_results_costs_a_query() {
    let app = TestApp::new().await;
    let numbers =
        (0..25).map(|body| kuraka_domain::Ruc::from_parts(kuraka_domain::RucKind::LegalPerson, body).unwrap());
    app.publish(numbers.map(|ruc| named(&ruc.to_string(), "MOLINOS", "HABIDO")), &[], &[]);
    let mut owner = app.signed_in(EMAIL).await;
    let first = owner.follow("/panel/consultar?q=molinos").await;
    assert_eq!(first.body.matches("<li><a href=\"/panel/consultar/").count(), 20);
    let cursor = first.between("name=\"cursor\" value=\"", "\"");
    let second = owner.follow(&format!("/panel/consultar?q=molinos&cursor={cursor}")).await;
    assert_eq!(second.body.matches("<li><a href=\"/panel/consultar/").count(), 5);
    assert_eq!(second.charged(), Some(("ruc-busqueda", 1, ResultCode::Found)));
    second.assert_lacks("Ver más");
    let other = owner.follow(&format!("/panel/consultar?q=otros&cursor={cursor}")).await;
    assert_eq!((other.status, other.charged()), (StatusCode::UNPROCESSABLE_ENTITY, None));
}

#[actix_web::test]
async fn a_search_without_an_answer_says_why() {
    let (app, mut owner) = owner().await;
    for text in ["a", "%26%26", "a+b+c+d+e+f+g+h+i+j+k"] {
        let refused = owner.follow(&format!("/panel/consultar?q={text}")).await;
        assert_eq!((refused.status, refused.charged()), (StatusCode::UNPROCESSABLE_ENTITY, None), "{text}");
        refused.assert_contains("No se descontó ninguna consulta.");
    }
    let foreign = TestRequest::get().uri("/panel/consultar?q=molinos").insert_header(("Sec-Fetch-Site", "cross-site"));
    let foreign = owner.send(foreign).await;
    foreign.assert_contains("value=\"molinos\"");
    assert_eq!(foreign.charged(), None);

    app.registry.drop_index();
    let without_index = owner.follow("/panel/consultar?q=molinos").await;
    assert_eq!(without_index.status, StatusCode::SERVICE_UNAVAILABLE);
    without_index.assert_contains("no tiene el índice de nombres");
    assert_eq!(without_index.charged(), Some(("ruc-busqueda", 0, ResultCode::ServiceUnavailable)));
    let suggestions = owner.follow("/panel/consultar/sugerencias?q=moli").await;
    assert_eq!(suggestions.status, StatusCode::SERVICE_UNAVAILABLE);
    suggestions.assert_contains(r#"{"mensaje":"Este servicio no tiene el índice de nombres. Consulte por RUC."}"#);
    assert_eq!(owner.follow("/panel/consultar/sugerencias?q=%26").await.body, "[]");
    owner.get("/panel/consumo").await.assert_contains("id=\"used\">0<");

    let empty = TestApp::new().await;
    let unknown = empty.signed_in(EMAIL).await.follow("/panel/consultar?q=molinos").await;
    assert_eq!(unknown.status, StatusCode::SERVICE_UNAVAILABLE);
    unknown.assert_contains("No se pudo averiguar");
    assert_eq!(unknown.charged(), Some(("ruc-busqueda", 1, ResultCode::UpstreamUnavailable)));
}

#[actix_web::test]
async fn suggestions_are_free_and_at_most_eight() {
    let numbers = (0..9).map(|body| kuraka_domain::Ruc::from_parts(kuraka_domain::RucKind::LegalPerson, body).unwrap());
    let person = named(PERSON, "MOLINOS ANA", "HABIDO");
    let companies = numbers.map(|ruc| named(&ruc.to_string(), "MOLINOS \"EL SOL\"", "HABIDO"));
    let (_, mut owner) = TestApp::publishing(companies.chain([person])).await;
    let found = owner.follow("/panel/consultar/sugerencias?q=moli").await;
    assert_eq!((found.body.matches("MOLINOS").count(), found.charged()), (8, None));
    found.assert_contains(r#"{"nombre":"MOLINOS \"EL SOL\"","ruc":"20000000001"}"#);
    found.assert_lacks(PERSON);
    assert_eq!(owner.follow("/panel/consultar/sugerencias?q=%26").await.body, "[]");
    owner.get("/panel/consumo").await.assert_contains("id=\"used\">0<");
}

#[actix_web::test]
async fn the_601st_request_for_suggestions_of_an_hour_is_refused() {
    let (app, mut ana) = owner().await;
    let path = "/panel/consultar/sugerencias?q=moli";
    let too_many = |response: &Response, wait| {
        assert_eq!((response.status, response.header(&RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, wait));
    };
    for minute in 0..10 {
        for _ in 0..60 {
            let foreign = TestRequest::get().uri(path).insert_header(("Sec-Fetch-Site", "cross-site"));
            assert_eq!(ana.send(foreign).await.body, "[]", "another site uses up nothing");
            assert_eq!(ana.follow(path).await.status, StatusCode::OK);
        }
        if minute == 0 {
            too_many(&ana.follow(path).await, "60");
            assert_eq!(app.signed_in("luz@kuraka.example").await.follow(path).await.status, StatusCode::OK);
        }
        app.clock.advance(Duration::from_secs(60));
    }
    too_many(&ana.follow(path).await, "3000");
    app.clock.advance(Duration::from_secs(3_000));
    app.log_in(&mut ana, EMAIL).await;
    assert_eq!(ana.follow(path).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn a_link_to_a_sheet_survives_the_log_in_and_asks_first() {
    let (app, _) = owner().await;
    let mut colleague = Browser::new(app);
    let sheet = "/panel/consultar/20100119227";
    let log_in = "/ingresar?volver=/panel/consultar%3Fruc%3D20100119227";
    assert_eq!(colleague.get(sheet).await.location(), log_in);
    let page = colleague.get(log_in).await;
    page.assert_contains("name=\"volver\" value=\"/panel/consultar?ruc=20100119227\"");
    let fields = [("email", EMAIL), ("password", PASSWORD), ("volver", sheet), ("form_token", &page.form_token())];
    let logged_in = colleague.post("/ingresar", &fields).await;
    assert_eq!(logged_in.location(), "/panel/consultar?ruc=20100119227");
    let asks = colleague.follow("/panel/consultar?ruc=20100119227").await;
    asks.assert_contains("value=\"20100119227\"");
    assert_eq!(asks.charged(), None);
    assert_eq!(
        Browser::new(app).get("/panel/consultar?q=acero%20sur&cursor=x").await.location(),
        "/ingresar?volver=/panel/consultar%3Fruc%3Dacero%2520sur"
    );
    colleague.follow("/panel/consultar?ruc=acero%20sur").await.assert_contains("value=\"acero sur\"");
}
