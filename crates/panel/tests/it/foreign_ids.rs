//! Routes that name a number: with somebody else's they lead nowhere, as if it did not exist.

use actix_web::http::StatusCode;
use kuraka_panel::routes::{Method, ROUTES, Route};

use crate::browser::{Browser, Shown};
use crate::stage::{Stage, filled_in};

/// Sends what the route needs besides the number.
async fn call(browser: &mut Browser<'_>, route: &Route, number: i64) -> Shown {
    let path = filled_in(route.path, number);
    match route.method {
        Method::Get => browser.get(&path).await,
        Method::Post => browser.submit("/panel/tokens", &path, &[]).await,
    }
}

#[actix_web::test]
async fn somebody_elses_number_leads_nowhere_and_the_owners_own_does() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    let mut other = stage.signed_in("otra@kuraka.example").await;
    let routes = || ROUTES.iter().filter(|route| route.path.contains('{') && !route.path.starts_with("/assets/"));
    assert!(routes().count() > 0);
    for route in routes() {
        // A new kind of number is made here, or this test fails.
        assert!(route.path.starts_with("/panel/tokens/{id}/"), "say whose number {} names", route.path);
        let kept = stage.token(&mut owner, "facturación").await;
        let before = stage.state();
        for number in [kept, kept + 1_000, -1, 0, i64::MAX] {
            let shown = call(&mut other, route, number).await;
            assert_eq!(shown.status, StatusCode::NOT_FOUND, "{} {number}", route.path);
            shown.hides("facturación");
            assert_eq!(stage.state(), before, "{} {number}", route.path);
        }
        let own = call(&mut owner, route, kept).await;
        assert!(own.status.is_success() || own.status.is_redirection(), "{} {}", route.path, own.status);
    }
}

#[actix_web::test]
async fn what_is_no_number_is_no_page() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    for text in ["x", "1.0", "%31%32x", "9999999999999999999999", "1;2", "%00"] {
        let shown = owner.get(&format!("/panel/tokens/{text}/revocar")).await;
        assert_eq!(shown.status, StatusCode::NOT_FOUND, "{text}");
    }
}
