//! The calls of operations that pages make are counted and refunded as calls of the API are.

use std::future::pending;
use std::rc::Rc;
use std::sync::Arc;

use actix_web::web::{self, Data};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, test};
use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::store::SqliteStore;
use kuraka_app::{CalledOperation, ConcurrencyLimit};
use kuraka_domain::ResultCode;
use kuraka_panel::PageCallSlot;
use kuraka_ports::fake::ScriptedRegistry;
use kuraka_server::http::{Api, ENDPOINTS};
use tokio::sync::Notify;

use super::served::served_with;
use super::test_api::api;

/// A page that does not end is charged.
static CHARGED: Notify = Notify::const_new();

/// A page that is charged three queries, and ends with the status of its query string; with 0 it does not end.
async fn page(request: HttpRequest, api: Data<Api>) -> HttpResponse {
    let token = request.headers().get("X-Token").unwrap().as_bytes();
    let limit = ConcurrencyLimit::new(1);
    let (caller, _permit) = api.admission.authenticate(token, &limit, || None).await.unwrap();
    let index = ENDPOINTS.iter().position(|endpoint| endpoint.operation.name == "ruc-ficha").unwrap();
    let operation = CalledOperation { name: "ruc-ficha", index, in_usage: true };
    let call = Rc::new(api.admission.admit(caller, operation, || 3).await.unwrap());
    request.extensions().get::<PageCallSlot>().unwrap().replace(Some(Rc::clone(&call)));
    match request.query_string().parse::<u16>().unwrap() {
        0 => {
            CHARGED.notify_one();
            pending().await
        }
        status => {
            call.end(ResultCode::DocumentNotFound, None);
            HttpResponse::build(status.try_into().unwrap()).finish()
        }
    }
}

#[actix_web::test]
async fn a_page_that_fails_refunds_its_call_and_one_whose_browser_leaves_counts_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("kuraka.db"), SqliteStore::BUSY_TIMEOUT).await.unwrap();
    let (api, token) = api(Arc::new(store), Arc::new(SystemClock::start()), ScriptedRegistry::empty()).await;
    let metrics = Arc::clone(&api.metrics);
    let admission = Arc::clone(&api.admission);
    let app = test::init_service(served_with(api, |service| {
        service.route("/page", web::get().to(page));
    }))
    .await;
    let limit = ConcurrencyLimit::new(1);
    let (caller, _permit) = admission.authenticate(token.reveal().as_bytes(), &limit, || None).await.unwrap();
    let open = |status: u16| {
        let request = test::TestRequest::get().uri(&format!("/page?{status}"));
        request.insert_header(("X-Token", token.reveal())).to_request()
    };
    for (status, left) in [(200, 997), (500, 997), (404, 994), (503, 991)] {
        let response = test::call_service(&app, open(status)).await;
        assert_eq!(response.status().as_u16(), status);
        assert_eq!(admission.limit_status(&caller).left, Some(left), "{status}");
    }
    tokio::select! {
        _ = test::call_service(&app, open(0)) => panic!("the page does not end"),
        () = CHARGED.notified() => {}
    }
    let counted = metrics.print().unwrap();
    for line in [
        r#"kuraka_queries_charged_total{operation="ruc-ficha"} 15"#,
        r#"kuraka_callers_gone_total{operation="ruc-ficha"} 1"#,
        r#"kuraka_answers_total{operation="panel",code="found"} 1"#,
    ] {
        assert!(counted.contains(line), "{line} in {counted}");
    }
}
