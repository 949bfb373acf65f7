//! Who may see what, for every route of the table.

use actix_web::http::StatusCode;
use actix_web::test::TestRequest;
use kuraka_panel::routes::{Access, Method, ROUTES};

use crate::browser::Browser;
use crate::stage::{Stage, filled_in};

#[actix_web::test]
async fn a_page_of_the_panel_sends_a_stranger_to_the_log_in() {
    let stage = Stage::new().await;
    for route in ROUTES.iter().filter(|route| route.access == Access::SignedIn && route.method == Method::Get) {
        let shown = Browser::new(&stage).get(&filled_in(route.path, 1)).await;
        assert_eq!(shown.leads_to(), "/ingresar", "{}", route.path);
    }
}

#[actix_web::test]
async fn a_made_up_session_is_no_session() {
    let stage = Stage::new().await;
    for value in ["", "x", "0000000000000000000000000000000000000000000000000000000000000000", "ñ", &"a".repeat(5_000)]
    {
        let mut browser = Browser::new(&stage);
        browser.cookies.insert("kuraka".to_owned(), value.to_owned());
        assert_eq!(browser.get("/panel/tokens").await.leads_to(), "/ingresar", "{value}");
    }
}

#[actix_web::test]
async fn every_page_of_the_panel_opens_for_its_owner() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    let token = stage.token(&mut owner, "facturación").await;
    for route in ROUTES.iter().filter(|route| route.access == Access::SignedIn && route.method == Method::Get) {
        let shown = owner.get(&filled_in(route.path, token)).await;
        let expected = if route.path == "/panel" { StatusCode::SEE_OTHER } else { StatusCode::OK };
        assert_eq!(shown.status, expected, "{}", route.path);
    }
}

#[actix_web::test]
async fn what_is_no_route_of_the_panel_is_left_to_the_others() {
    let stage = Stage::new().await;
    for (method, path) in
        [("GET", "/panel/nada"), ("GET", "/ruc"), ("POST", "/"), ("DELETE", "/panel/tokens"), ("PUT", "/panel/cuenta")]
    {
        let method = method.parse().unwrap();
        let shown = Browser::new(&stage).send(TestRequest::with_uri(path).method(method)).await;
        assert_eq!((shown.status, shown.body.as_str()), (StatusCode::NOT_FOUND, ""), "{path}");
    }
}

#[actix_web::test]
async fn a_browser_that_is_lost_is_shown_a_page() {
    let stage = Stage::new().await;
    let browser =
        |path| TestRequest::get().uri(path).insert_header(("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"));
    for path in ["/nada", "/panel/nada", "/ruc.html", "/x/y/z"] {
        let shown = Browser::new(&stage).send(browser(path)).await;
        assert_eq!(shown.status, StatusCode::NOT_FOUND, "{path}");
        shown.says("Esta página no existe");
        assert!(shown.headers.contains_key("content-security-policy"), "{path}");
    }
}
