//! Routes with the id of a row: the id of another account is not found, as if it did not exist.

use actix_web::http::StatusCode;
use kuraka_api::Method;
use kuraka_panel::routes::{ROUTES, Route};

use crate::browser::{Browser, Response};
use crate::test_app::{TestApp, filled_in};

/// Calls the route with this id.
async fn call(browser: &mut Browser<'_>, route: &Route, number: i64) -> Response {
    let path = filled_in(route.path, number);
    match route.method {
        Method::Get => browser.get(&path).await,
        Method::Post => browser.submit("/panel/tokens", &path, &[]).await,
    }
}

#[actix_web::test]
async fn another_accounts_id_is_not_found() {
    let (app, mut owner) = TestApp::owner().await;
    let mut other = app.signed_in("otra@kuraka.example").await;
    // The ids of lists are random.
    let is_numbered = |route: &&Route| route.path.contains("{id}") && !route.path.starts_with("/panel/lista");
    let routes = || ROUTES.iter().filter(is_numbered);
    assert!(routes().count() > 0);
    for route in routes() {
        let kept = match route.path.split_once("/{id}") {
            Some(("/panel/tokens", _)) => app.token(&mut owner, "facturación").await,
            Some(("/panel/avisos", _)) => app.webhook(&mut owner, "https://example.pe/facturación").await,
            _ => panic!("this test does not create ids for {}", route.path),
        };
        let before = app.state();
        for number in [kept, kept + 1_000, -1, 0, i64::MAX] {
            let response = call(&mut other, route, number).await;
            assert_eq!(response.status, StatusCode::NOT_FOUND, "{} {number}", route.path);
            response.assert_lacks("facturación");
            assert_eq!(app.state(), before, "{} {number}", route.path);
        }
        let own = call(&mut owner, route, kept).await;
        assert!(own.status.is_success() || own.status.is_redirection(), "{} {}", route.path, own.status);
    }
}

#[actix_web::test]
async fn an_id_that_is_not_a_number_is_not_found() {
    let (_, mut owner) = TestApp::owner().await;
    for text in ["x", "1.0", "%31%32x", "9999999999999999999999", "1;2", "%00"] {
        let response = owner.get(&format!("/panel/tokens/{text}/revocar")).await;
        assert_eq!(response.status, StatusCode::NOT_FOUND, "{text}");
    }
}
