//! The files that pages link to, and the size of a page with them.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use kuraka_api::Method;
use kuraka_panel::routes::ROUTES;

use crate::browser::{Browser, Response};
use crate::test_app::{EMAIL, TestApp, filled_in};

/// The paths of the files that a page links to.
fn linked(page: &Response) -> Vec<String> {
    let starts = page.body.match_indices("\"/assets/").map(|(at, _)| at + 1);
    starts.map(|at| page.body[at..].split('"').next().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn linked_files_exist_and_are_immutable() {
    let app = TestApp::new().await;
    let mut browser = Browser::new(&app);
    let files = linked(&browser.get("/").await);
    assert_eq!(files.len(), 4);
    for file in files {
        let response = browser.get(&file).await;
        assert_eq!(response.status, StatusCode::OK, "{file}");
        assert_eq!(response.header(&CACHE_CONTROL), "public, max-age=31536000, immutable");
        let content_type = response.header(&CONTENT_TYPE);
        let expected = match file.rsplit('.').next().unwrap() {
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            _ => "image/svg+xml",
        };
        assert_eq!(content_type, expected, "{file}");
    }
    assert_eq!(browser.get("/assets/panel-0000000000000000.css").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn every_page_with_its_files_is_at_most_100_kb() {
    let (app, mut owner) = TestApp::owner().await;
    let token = app.token(&mut owner, "facturación").await;
    app.use_everything(EMAIL).await;
    let mut heaviest = (0, "");
    for route in ROUTES.iter().filter(|route| route.method == Method::Get) {
        let page = owner.get(&filled_in(route.path, token)).await;
        let mut bytes = page.body.len();
        for file in linked(&page) {
            bytes += owner.get(&file).await.body.len();
        }
        heaviest = heaviest.max((bytes, route.path));
    }
    assert!(heaviest.0 <= 100_000, "{} weighs {} bytes", heaviest.1, heaviest.0);
}
