//! Places of uploads and large answers: how many an account and all accounts have, and how long one is held.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::body::{BodySize, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::test::TestRequest;
use actix_web::web::Bytes;
use kuraka_domain::{Ruc, RucKind};

use crate::browser::{Browser, Response, upload};
use crate::test_app::{EMAIL, TestApp};

const WATCHED: &str = "/panel/seguimiento";
/// Of [`TestApp`], for all accounts.
const PLACES: usize = 3;

/// This many RUCs. The page of 400 watched ones is a large answer.
fn rucs(count: u32) -> Vec<u8> {
    let ruc = |body| Ruc::from_parts(RucKind::LegalPerson, body).unwrap().to_string();
    (10_000_000..10_000_000 + count).map(ruc).collect::<Vec<_>>().join("\n").into_bytes()
}

async fn form_token(browser: &mut Browser<'_>) -> String {
    browser.get("/panel/lista").await.form_token()
}

/// Uploads a list and reads nothing of the answer.
async fn open(browser: &mut Browser<'_>, file: &[u8]) -> HttpResponse {
    let token = form_token(browser).await;
    let opened = browser.open(upload(WATCHED, &token, file, &[])).await;
    assert_eq!(opened.status(), StatusCode::OK);
    opened
}

/// The pieces of a body that was not read.
async fn pieces(response: HttpResponse) -> Vec<Bytes> {
    let mut body = response.into_body();
    let mut pieces = Vec::new();
    while let Some(piece) = std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_next(context)).await {
        pieces.push(piece.unwrap());
    }
    pieces
}

async fn send(browser: &mut Browser<'_>, to: &str, file: &[u8]) -> Response {
    let token = form_token(browser).await;
    browser.send(upload(to, &token, file, &[])).await
}

fn assert_no_place(response: &Response) {
    assert_eq!((response.status, response.header(&RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, "1"));
    response.assert_contains("Ya tiene dos archivos o páginas grandes en curso");
}

#[actix_web::test]
async fn an_account_has_two_places_until_its_answers_are_read() {
    let app = TestApp::new().await;
    let (mut ana, mut luz) = (app.signed_in(EMAIL).await, app.signed_in("luz@kuraka.example").await);
    let large = rucs(400);
    let (first, _second) = (open(&mut ana, &large).await, open(&mut ana, &large).await);
    for to in [WATCHED, "/panel/lista"] {
        assert_no_place(&send(&mut ana, to, &large).await);
    }

    let _third = open(&mut luz, &large).await;
    let busy = send(&mut luz, WATCHED, &large).await;
    assert_eq!((busy.status, busy.header(&RETRY_AFTER)), (StatusCode::SERVICE_UNAVAILABLE, "1"));
    busy.assert_contains("Hay mucha demanda en este momento");

    pieces(first).await;
    assert_eq!(send(&mut luz, WATCHED, &large).await.status, StatusCode::OK);
    assert_eq!(send(&mut ana, WATCHED, &large).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn a_browser_that_leaves_frees_its_place() {
    let (_, mut ana) = TestApp::owner().await;
    for _ in 0..2 * PLACES {
        drop(open(&mut ana, &rucs(400)).await);
    }
}

#[actix_web::test]
async fn a_small_answer_holds_no_place() {
    let (_, mut ana) = TestApp::owner().await;
    let mut opened = Vec::new();
    for _ in 0..2 * PLACES {
        opened.push(open(&mut ana, b"20100119227").await);
    }
}

#[actix_web::test]
async fn a_large_answer_is_let_go_in_small_pieces() {
    let (_, mut ana) = TestApp::owner().await;
    let opened = open(&mut ana, &rucs(400)).await;
    let BodySize::Sized(length) = opened.body().size() else { panic!("its length is not known") };
    let pieces = pieces(opened).await;
    assert!(pieces.iter().all(|piece| piece.len() <= 16 << 10) && pieces.len() > 4);
    assert_eq!(pieces.iter().map(|piece| piece.len() as u64).sum::<u64>(), length);
    let whole = String::from_utf8(pieces.concat()).unwrap();
    assert!(whole.ends_with("</html>"), "{whole}");
}

#[actix_web::test]
async fn an_answer_that_is_hardly_read_ends() {
    let (_, mut ana) = TestApp::owner().await;
    let (first, _second) = (open(&mut ana, &rucs(400)).await, open(&mut ana, &rucs(400)).await);
    tokio::time::pause();
    // The tasks of both answers begin to wait.
    tokio::task::yield_now().await;
    tokio::time::advance(Duration::from_secs(299)).await;
    assert_no_place(&send(&mut ana, WATCHED, &rucs(400)).await);
    tokio::time::advance(Duration::from_secs(2)).await;
    tokio::task::yield_now().await;
    assert_eq!(send(&mut ana, WATCHED, &rucs(400)).await.status, StatusCode::OK);
    assert_eq!(pieces(first).await, Vec::<Bytes>::new(), "the connection breaks off");
}

#[actix_web::test]
async fn a_large_page_of_watched_rucs_takes_a_place() {
    let (_, mut ana) = TestApp::owner().await;
    assert_eq!(send(&mut ana, "/panel/seguimiento", &rucs(300)).await.status, StatusCode::OK);
    let page = || TestRequest::get().uri("/panel/seguimiento");
    let (_first, _second) = (ana.open(page()).await, ana.open(page()).await);
    assert_no_place(&ana.send(page()).await);
    assert_eq!(ana.get("/panel/consumo").await.status, StatusCode::OK, "small pages are shown");
}

#[actix_web::test]
async fn uploads_that_fail_count_for_the_rate_of_forms() {
    let (_, mut ana) = TestApp::owner().await;
    let token = form_token(&mut ana).await;
    for _ in 0..70 {
        let foreign = upload(WATCHED, &token, b"20100119227", &[]).insert_header(("Sec-Fetch-Site", "cross-site"));
        assert_eq!(ana.send(foreign).await.status, StatusCode::FORBIDDEN);
    }
    for _ in 0..30 {
        assert_eq!(ana.send(upload(WATCHED, "0", b"20100119227", &[])).await.status, StatusCode::FORBIDDEN);
        let broken = upload(WATCHED, &token, b"", &[]).set_payload("--x\r\n");
        assert_eq!(ana.send(broken).await.status, StatusCode::BAD_REQUEST);
    }
    let refused = ana.send(upload(WATCHED, &token, b"20100119227", &[])).await;
    assert_eq!((refused.status, refused.header(&RETRY_AFTER)), (StatusCode::TOO_MANY_REQUESTS, "60"));
    refused.assert_contains("Demasiados formularios en un minuto");
}
