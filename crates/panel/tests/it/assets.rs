//! The files that pages name, and what a page weighs with them.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use kuraka_panel::routes::{Method, ROUTES};

use crate::browser::{Browser, Shown};
use crate::stage::{Stage, filled_in};

/// The addresses of the files that a page names.
fn named(page: &Shown) -> Vec<String> {
    let starts = page.body.match_indices("\"/assets/").map(|(at, _)| at + 1);
    starts.map(|at| page.body[at..].split('"').next().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn the_files_of_a_page_are_there_and_may_be_kept_for_good() {
    let stage = Stage::new().await;
    let mut browser = Browser::new(&stage);
    let files = named(&browser.get("/").await);
    assert_eq!(files.len(), 3);
    for file in files {
        let shown = browser.get(&file).await;
        assert_eq!(shown.status, StatusCode::OK, "{file}");
        assert_eq!(shown.header(&CACHE_CONTROL), "public, max-age=31536000, immutable");
        let content_type = shown.header(&CONTENT_TYPE);
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
async fn a_page_with_its_files_is_light() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    let token = stage.token(&mut owner, "facturación").await;
    stage.use_everything("ana@kuraka.example").await;
    let mut heaviest = (0, "");
    for route in ROUTES.iter().filter(|route| route.method == Method::Get) {
        let page = owner.get(&filled_in(route.path, token)).await;
        let mut bytes = page.body.len();
        for file in named(&page) {
            bytes += owner.get(&file).await.body.len();
        }
        heaviest = heaviest.max((bytes, route.path));
    }
    assert!(heaviest.0 <= 100_000, "{} weighs {} bytes", heaviest.1, heaviest.0);
}
