//! `GET` requests with the RUC in the path.

use kuraka_sandbox::sample;
use kuraka_server::http::ENDPOINTS;

use crate::app::scene;
use crate::sandbox::{asked, sandbox};
use crate::shared::shared;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_ruc_in_the_path_gets_the_answer_of_the_post() {
    let upstream = sandbox().await;
    let app = scene().official(&upstream).with_datasets().plan(1_000, 1_000, 1_000).start().await;
    let owner = app.owner().await;
    for operation in ENDPOINTS.map(|it| it.operation).iter().filter(|it| it.path_parameter == Some("ruc")) {
        let names = std::iter::once(&operation.name).chain(operation.aliases);
        for name in names.flat_map(|name| ["", "/api"].map(|prefix| format!("{prefix}/{name}"))) {
            for ruc in [sample::ON_BOTH_LISTS, sample::ABSENT, sample::BAD_CHECK_DIGIT] {
                let post = app.post(&name).token(&owner.token).ruc(ruc).send().await;
                let get = app.request("GET", &format!("{name}/{ruc}")).token(&owner.token).send().await;
                assert_eq!((get.status, get.code()), (post.status, post.code()), "{name}");
                for field in ["data", "message"] {
                    assert_eq!(get.json()[field], post.json()[field], "{name}");
                }
                for header in ["x-source", "x-registry-edition", "cache-control", "content-type"] {
                    assert_eq!(get.header(header), post.header(header), "{name} {header}");
                }
            }
        }
    }
    assert_eq!(asked(&upstream, sample::ON_BOTH_LISTS), [1, 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn any_other_method_is_refused_with_the_allowed_one() {
    let (app, owner) = shared().await;
    let path = format!("/ruc/{}", sample::COMPANY);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "get"] {
        let answer = app.request(method, &path).token(&owner.token).ruc(sample::COMPANY).send().await;
        let message = answer.refused("method_not_allowed");
        assert_eq!((answer.must("allow"), message.contains("Use GET.")), ("GET", true), "{method}");
    }
    // HEAD would cost a query and answer nothing, so it is not allowed, as at /usage.
    let answer = app.request("HEAD", &path).token(&owner.token).send().await;
    assert_eq!((answer.status, answer.must("allow"), answer.body.as_str()), (405, "GET", ""));
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_ruc_in_the_query_string_is_told_of_the_path() {
    let (app, _) = shared().await;
    for (path, get) in [("/ruc", "GET /ruc/{ruc}."), ("/api/ruc-sunat", "GET /ruc-official/{ruc}.")] {
        let answer = app.request("GET", &format!("{path}?ruc={}", sample::COMPANY)).send().await;
        assert!(answer.refused("method_not_allowed").ends_with(get), "{path}");
        assert_eq!(answer.must("allow"), "POST");
    }
    let answer = app.request("GET", "/cpe").send().await;
    assert!(answer.refused("method_not_allowed").ends_with("Use POST."));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_checks_are_those_of_the_post_without_the_media_type() {
    let (app, owner) = shared().await;
    let get = |ruc: &str| app.request("GET", &format!("/ruc/{ruc}"));
    get(sample::COMPANY).send().await.refused("unauthenticated");
    get(sample::COMPANY).token("kur_x").send().await.refused("unauthenticated");
    let large = get(sample::COMPANY).token(&owner.token).body(" ".repeat(4_097));
    large.send().await.refused("payload_too_large");
    assert_eq!(app.used(&owner).await, 0);
    // A body is ignored, whatever it is.
    let other = get(sample::COMPANY).token(&owner.token).header("Content-Type", "text/plain");
    assert_eq!(other.body("ruc=20999999990").send().await.found()["ruc"], sample::COMPANY);
    for (ruc, message) in [
        ("x", "El RUC es incorrecto: debe tener 11 dígitos y tiene 1 carácter."),
        ("20100119228", "El RUC es incorrecto: el dígito verificador no corresponde; revise si hay un dígito errado."),
        ("201001192%2F7", "El RUC es incorrecto: debe tener 11 dígitos y tiene 13 caracteres."),
        ("{ruc}", "El RUC es incorrecto: debe tener 11 dígitos y tiene 5 caracteres."),
    ] {
        assert_eq!(get(ruc).token(&owner.token).send().await.refused("invalid_input"), message, "{ruc}");
    }
    assert_eq!(app.used(&owner).await, 5);
}
