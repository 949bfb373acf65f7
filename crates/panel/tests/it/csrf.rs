//! Forms that somebody else's page sends in a signed-in browser: refused, and nothing has changed.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, ORIGIN};
use actix_web::test::TestRequest;
use kuraka_panel::routes::{Access, Method, ROUTES, Route};

use crate::browser::{Browser, HOST, form};
use crate::stage::{PASSWORD, Stage, filled_in};

/// The routes that change something.
fn forms() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().filter(|route| route.method == Method::Post)
}

/// Every field that some form has, filled in so that it would succeed.
fn fields(token: &str) -> Vec<(&'static str, String)> {
    let texts = [("email", "new@kuraka.example"), ("password", "otra frase larga y mía"), ("current", PASSWORD)];
    let more = [("name", "ajeno"), ("expires", ""), ("allowed", ""), ("form_token", token)];
    texts.into_iter().chain(more).map(|(name, text)| (name, text.to_owned())).collect()
}

#[actix_web::test]
async fn a_form_that_is_not_ours_is_refused_and_changes_nothing() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    let kept = stage.token(&mut owner, "facturación").await;
    let mut other = stage.signed_in("otra@kuraka.example").await;
    let foreign = other.get("/panel/tokens").await.form_token();
    let before = stage.state();

    for route in forms() {
        let path = filled_in(route.path, kept);
        let mut browser = match route.access {
            Access::SignedIn => Browser { cookies: owner.cookies.clone(), ..Browser::new(&stage) },
            Access::Public => Browser::new(&stage),
        };
        let page = if route.access == Access::SignedIn { "/panel/tokens" } else { route.path };
        let token = browser.get(page).await.form_token();
        let sent = |token: &str| TestRequest::post().uri(&path).set_form(fields(token));
        let ours = ("Sec-Fetch-Site", "same-origin");
        let forged = [
            ("no token", form(&path, &[]).insert_header(ours)),
            ("an empty token", sent("").insert_header(ours)),
            ("somebody else's token", sent(&foreign).insert_header(ours)),
            ("another site", sent(&token).insert_header(("Sec-Fetch-Site", "cross-site"))),
            ("a site next to ours", sent(&token).insert_header(("Sec-Fetch-Site", "same-site"))),
            ("an unknown word", sent(&token).insert_header(("Sec-Fetch-Site", "x"))),
            ("two words", sent(&token).append_header(ours).append_header(("Sec-Fetch-Site", "cross-site"))),
            ("another origin", sent(&token).insert_header((ORIGIN, "https://evil.example"))),
            (
                "an origin that begins like ours",
                sent(&token).insert_header((ORIGIN, format!("http://{HOST}.evil.example"))),
            ),
            ("no origin to speak of", sent(&token).insert_header((ORIGIN, "null"))),
            ("neither header", sent(&token)),
            ("another site with our origin", {
                let origin = format!("http://{HOST}");
                sent(&token).insert_header(("Sec-Fetch-Site", "cross-site")).insert_header((ORIGIN, origin))
            }),
        ];
        for (what, request) in forged {
            let shown = browser.send(request).await;
            assert_eq!(shown.status, StatusCode::FORBIDDEN, "{} with {what}", route.path);
            assert_eq!(stage.state(), before, "{} with {what}", route.path);
        }
    }
}

#[actix_web::test]
async fn a_body_that_is_no_form_changes_nothing() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    let token = owner.get("/panel/tokens").await.form_token();
    let before = stage.state();
    let ours = || TestRequest::post().uri("/panel/tokens").insert_header(("Sec-Fetch-Site", "same-origin"));
    let text = format!("form_token={token}&name=x");
    for content_type in ["text/plain", "application/json", "multipart/form-data; boundary=x", ""] {
        let shown = owner.send(ours().insert_header((CONTENT_TYPE, content_type)).set_payload(text.clone())).await;
        assert_eq!(shown.status, StatusCode::BAD_REQUEST, "{content_type}");
    }
    let large = owner.post("/panel/tokens", &[("form_token", &token), ("name", &"x".repeat(17_000))]).await;
    assert_eq!(large.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(stage.state(), before);
}

#[actix_web::test]
async fn a_form_of_ours_passes_with_either_header() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    let headers = [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "none"), ("Origin", "http://panel.example")];
    for (at, header) in headers.into_iter().enumerate() {
        let token = owner.get("/panel/tokens").await.form_token();
        let request = form("/panel/tokens", &[("form_token", &token), ("name", "propio"), ("expires", "")]);
        assert_eq!(owner.send(request.insert_header(header)).await.status, StatusCode::CREATED, "{header:?}");
        assert_eq!(stage.tokens("ana@kuraka.example").await.len(), at + 1);
    }
}

#[actix_web::test]
async fn the_token_of_a_form_ends_with_its_session() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    let old = owner.get("/panel/tokens").await.form_token();
    owner.submit("/panel/tokens", "/salir", &[]).await;
    stage.log_in(&mut owner, "ana@kuraka.example").await;
    let shown = owner.post("/panel/tokens", &[("form_token", &old), ("name", "x"), ("expires", "")]).await;
    assert_eq!(shown.status, StatusCode::FORBIDDEN);
}
