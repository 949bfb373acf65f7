//! Cross-site request forgery: forms that did not come from a page of the panel are refused and change nothing.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, ORIGIN};
use actix_web::test::TestRequest;
use kuraka_api::Method;
use kuraka_panel::routes::{Access, ROUTES, Route};

use crate::browser::{Browser, HOST, form};
use crate::test_app::{EMAIL, PASSWORD, TestApp, filled_in};

/// The routes that submit a form. Mail programs send the one that ends mails.
fn forms() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().filter(|route| route.method == Method::Post && route.path != "/correo/{code}")
}

/// Every field of every form, with values that would be accepted.
fn fields(token: &str) -> Vec<(&'static str, String)> {
    let texts = [("email", "new@kuraka.example"), ("password", "otra frase larga y mía"), ("current", PASSWORD)];
    let more = [("name", "ajeno"), ("expires", ""), ("allowed", ""), ("form_token", token)];
    texts.into_iter().chain(more).map(|(name, text)| (name, text.to_owned())).collect()
}

#[actix_web::test]
async fn a_foreign_form_is_refused_and_changes_nothing() {
    let (app, mut owner) = TestApp::owner().await;
    app.make_operator(&mut owner, EMAIL).await;
    let kept = app.token(&mut owner, "facturación").await;
    let mut other = app.signed_in("otra@kuraka.example").await;
    let foreign = other.get("/panel/tokens").await.form_token();
    let before = app.state();

    for route in forms() {
        let path = filled_in(route.path, kept);
        let mut browser = match route.access {
            Access::SignedIn | Access::Operator => Browser { cookies: owner.cookies.clone(), ..Browser::new(app) },
            Access::Public => Browser::new(app),
        };
        let page = if route.access == Access::Public { "/ingresar" } else { "/panel/tokens" };
        let token = browser.get(page).await.form_token();
        let sent = |token: &str| TestRequest::post().uri(&path).set_form(fields(token));
        let same_origin = ("Sec-Fetch-Site", "same-origin");
        let forged = [
            ("no token", form(&path, &[]).insert_header(same_origin)),
            ("an empty token", sent("").insert_header(same_origin)),
            ("another session's token", sent(&foreign).insert_header(same_origin)),
            ("another site", sent(&token).insert_header(("Sec-Fetch-Site", "cross-site"))),
            ("another site of the same domain", sent(&token).insert_header(("Sec-Fetch-Site", "same-site"))),
            ("an unknown value", sent(&token).insert_header(("Sec-Fetch-Site", "x"))),
            ("two values", sent(&token).append_header(same_origin).append_header(("Sec-Fetch-Site", "cross-site"))),
            ("another origin", sent(&token).insert_header((ORIGIN, "https://evil.example"))),
            (
                "an origin that begins like the panel's",
                sent(&token).insert_header((ORIGIN, format!("http://{HOST}.evil.example"))),
            ),
            ("a null origin", sent(&token).insert_header((ORIGIN, "null"))),
            ("neither header", sent(&token)),
            ("another site with the panel's origin", {
                let origin = format!("http://{HOST}");
                sent(&token).insert_header(("Sec-Fetch-Site", "cross-site")).insert_header((ORIGIN, origin))
            }),
        ];
        for (what, request) in forged {
            let response = browser.send(request).await;
            assert_eq!(response.status, StatusCode::FORBIDDEN, "{} with {what}", route.path);
            assert_eq!(app.state(), before, "{} with {what}", route.path);
        }
    }
}

#[actix_web::test]
async fn a_body_that_is_not_a_form_changes_nothing() {
    let (app, mut owner) = TestApp::owner().await;
    let token = owner.get("/panel/tokens").await.form_token();
    let before = app.state();
    let request = || TestRequest::post().uri("/panel/tokens").insert_header(("Sec-Fetch-Site", "same-origin"));
    let text = format!("form_token={token}&name=x");
    for content_type in ["text/plain", "application/json", "multipart/form-data; boundary=x", ""] {
        let response =
            owner.send(request().insert_header((CONTENT_TYPE, content_type)).set_payload(text.clone())).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST, "{content_type}");
    }
    let large = owner.post("/panel/tokens", &[("form_token", &token), ("name", &"x".repeat(17_000))]).await;
    assert_eq!(large.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(app.state(), before);
}

#[actix_web::test]
async fn either_origin_header_is_enough_for_a_form() {
    let (app, mut owner) = TestApp::owner().await;
    let headers = [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "none"), ("Origin", "http://panel.example")];
    for (at, header) in headers.into_iter().enumerate() {
        let token = owner.get("/panel/tokens").await.form_token();
        let request = form("/panel/tokens", &[("form_token", &token), ("name", "propio"), ("expires", "")]);
        assert_eq!(owner.send(request.insert_header(header)).await.status, StatusCode::CREATED, "{header:?}");
        assert_eq!(app.tokens(EMAIL).await.len(), at + 1);
    }
}

#[actix_web::test]
async fn a_form_token_ends_with_its_session() {
    let (app, mut owner) = TestApp::owner().await;
    let old = owner.get("/panel/tokens").await.form_token();
    owner.log_out().await;
    app.log_in(&mut owner, EMAIL).await;
    let response = owner.post("/panel/tokens", &[("form_token", &old), ("name", "x"), ("expires", "")]).await;
    assert_eq!(response.status, StatusCode::FORBIDDEN);
}
