//! Aliases: other paths to an operation, where the body may also be an HTML form.

use kuraka_sandbox::sample;
use serde_json::Value;

use crate::answer::Answer;
use crate::app::scene;
use crate::sandbox::{asked, sandbox};
use crate::shared::shared;

const FORM: &str = "application/x-www-form-urlencoded";

/// Each alias, and the path of its operation with the same answer.
const ALIASES: [(&str, &str); 17] = [
    ("/ruc-sunat", "/api/ruc-official"),
    ("/ruc_sunat", "/api/ruc-official"),
    ("/ruc_official", "/api/ruc-official"),
    ("/ruc-establecimientos-anexos", "/api/ruc-anexos"),
    ("/ruc_establecimientos_anexos", "/api/ruc-anexos"),
    ("/ruc_anexos", "/api/ruc-anexos"),
    ("/ruc_ficha", "/ruc-ficha"),
    ("/ruc_ssco", "/ruc-ssco"),
    // The original service's own names, which its clients send forms to.
    ("/ruc-ssco", "/ruc-ssco"),
    ("/ruc-domicilio-fiscal", "/ruc-domicilio-fiscal"),
    ("/ruc_domicilio_fiscal", "/api/ruc-domicilio-fiscal"),
    ("/api/ruc-sunat", "/api/ruc-official"),
    ("/api/ruc_establecimientos_anexos", "/api/ruc-anexos"),
    ("/api/ruc_ssco", "/api/ruc-ssco"),
    ("/api/ruc", "/api/ruc"),
    ("/api/ruc-ficha", "/api/ruc-ficha"),
    ("/api/ruc_domicilio_fiscal", "/api/ruc-domicilio-fiscal"),
];

/// The envelope without the time, and the headers of its source.
fn content(answer: &Answer) -> (u16, Value, [Option<String>; 2]) {
    let mut envelope = answer.json();
    envelope.as_object_mut().unwrap().remove("time");
    (answer.status, envelope, ["x-source", "x-registry-edition"].map(|name| answer.header(name).map(str::to_owned)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_alias_gets_the_answer_of_its_operation_also_for_a_form() {
    let upstream = sandbox().await;
    let (app, owner) = scene().with_datasets().official(&upstream).start_with_owner().await;
    for (alias, path) in ALIASES {
        for ruc in [sample::ON_BOTH_LISTS, sample::ABSENT, sample::BAD_CHECK_DIGIT] {
            let expected = content(&app.post(path).token(&owner.token).ruc(ruc).send().await);
            let post = || app.post(alias).token(&owner.token);
            assert_eq!(content(&post().ruc(ruc).send().await), expected, "{alias} {ruc}");
            let get = app.request("GET", &format!("{alias}/{ruc}")).header("Content-Type", "application/json");
            assert_eq!(content(&get.token(&owner.token).send().await), expected, "{alias} {ruc}");
            for content_type in [FORM, "Application/X-WWW-Form-UrlEncoded; charset=UTF-8"] {
                let form = post().header("Content-Type", content_type).body(format!("x=1&ruc={ruc}&y="));
                assert_eq!(content(&form.send().await), expected, "{alias} {ruc}");
            }
        }
    }
    assert_eq!(asked(&upstream, sample::ON_BOTH_LISTS), [1, 0], "all share the cache of their operation");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_names_of_other_operations_accept_no_form() {
    let (app, owner) = shared().await;
    for path in ["/ruc", "/ruc-official", "/ruc-ficha", "/ruc-anexos", "/ruc-busqueda", "/cpe"] {
        let post = app.post(path).token(&owner.token).header("Content-Type", FORM);
        let message = post.body(format!("ruc={}", sample::COMPANY)).send().await.refused("unsupported_media_type");
        assert!(!message.contains("formulario"), "{path}: {message}");
    }
    // An alias explains what it accepts.
    let post = app.post("/ruc_ficha").token(&owner.token).header("Content-Type", "text/html");
    let message = post.body("x").send().await.refused("unsupported_media_type");
    assert!(message.contains(FORM), "{message}");
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_alias_and_a_get_are_counted_and_charged_as_their_operation() {
    let (app, owner) = scene().plan(1_000, 1_000, 1_000).start_with_owner().await;
    app.post("/ruc_ficha").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    app.request("GET", &format!("/ruc-ficha/{}", sample::PERSON)).token(&owner.token).send().await.found();
    assert_eq!(app.used(&owner).await, 2);
    let metrics = app.admin("/metrics").send().await.body;
    assert!(metrics.contains(r#"kuraka_answers_total{operation="ruc-ficha",code="found"} 2"#), "{metrics}");
    assert!(!metrics.contains(sample::PERSON));
    let answer = app.request("GET", "/ruc_ficha").token(&owner.token).send().await;
    answer.refused("method_not_allowed");
    assert_eq!(answer.must("allow"), "POST");
}
