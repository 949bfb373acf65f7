//! Access to every route of the table, with and without a session.

use actix_web::http::StatusCode;
use actix_web::test::TestRequest;
use kuraka_api::Method;
use kuraka_panel::routes::{Access, ROUTES};

use crate::browser::Browser;
use crate::test_app::{TestApp, filled_in};

#[actix_web::test]
async fn pages_redirect_to_the_log_in_without_a_session() {
    let app = TestApp::new().await;
    for route in ROUTES.iter().filter(|route| route.access != Access::Public && route.method == Method::Get) {
        let response = Browser::new(&app).get(&filled_in(route.path, 1)).await;
        assert_eq!(response.location().split('?').next(), Some("/ingresar"), "{}", route.path);
    }
}

#[actix_web::test]
async fn a_made_up_session_cookie_is_ignored() {
    let app = TestApp::new().await;
    for value in ["", "x", "0000000000000000000000000000000000000000000000000000000000000000", "ñ", &"a".repeat(5_000)]
    {
        let mut browser = Browser::new(&app);
        browser.cookies.insert("kuraka".to_owned(), value.to_owned());
        assert_eq!(browser.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens", "{value}");
    }
}

#[actix_web::test]
async fn every_page_opens_with_a_session() {
    let (app, mut owner) = TestApp::owner().await;
    let token = app.token(&mut owner, "facturación").await;
    assert_eq!(app.webhook(&mut owner, "https://example.pe/").await, token, "both are the first");
    for route in ROUTES.iter().filter(|route| route.access == Access::SignedIn && route.method == Method::Get) {
        let response = owner.get(&filled_in(route.path, token)).await;
        let expected = match route.path {
            // No rate is known here, and the ids of lists are random.
            "/panel/tipo-de-cambio.csv" => StatusCode::NOT_FOUND,
            path if path.starts_with("/panel/lista/{id}") => StatusCode::NOT_FOUND,
            _ => StatusCode::OK,
        };
        assert_eq!(response.status, expected, "{}", route.path);
    }
}

#[actix_web::test]
async fn requests_without_a_route_reach_the_servers_default() {
    let app = TestApp::new().await;
    for (method, path) in
        [("GET", "/panel/nada"), ("GET", "/ruc"), ("POST", "/"), ("DELETE", "/panel/tokens"), ("PUT", "/panel/cuenta")]
    {
        let method = method.parse().unwrap();
        let response = Browser::new(&app).send(TestRequest::with_uri(path).method(method)).await;
        assert_eq!((response.status, response.body.as_str()), (StatusCode::NOT_FOUND, ""), "{path}");
    }
}

#[actix_web::test]
async fn browsers_get_a_page_for_an_unknown_path() {
    let app = TestApp::new().await;
    let browser =
        |path| TestRequest::get().uri(path).insert_header(("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"));
    for path in ["/nada", "/panel/nada", "/ruc.html", "/x/y/z"] {
        let response = Browser::new(&app).send(browser(path)).await;
        assert_eq!(response.status, StatusCode::NOT_FOUND, "{path}");
        response.assert_contains("Esta página no existe");
        assert!(response.headers.contains_key("content-security-policy"), "{path}");
    }
}
