//! `GET` requests with the RUC in the path.

use kuraka_sandbox::sample;
use kuraka_server::http::ENDPOINTS;

use crate::app::scene;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_ruc_in_the_query_string_is_told_of_the_path() {
    let app = scene().start().await;
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
    let (app, owner) = scene().plan(1_000, 1_000, 1_000).start_with_owner().await;
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
