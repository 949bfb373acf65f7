use kuraka_sandbox::sample::{ABSENT, COMPANY, ON_BOTH_LISTS};
use kuraka_sandbox::upstream::{ProviderShape, Upstream};
use serde_json::json;

use super::client::{DETAILED, NESTED, ask_detailed, loopback, send, start};

async fn ask_nested(upstream: &Upstream, headers: &str, body: &str) -> super::client::Reply {
    let length = body.len();
    let request = format!("POST /nested/api/ruc HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
    send(upstream, &request).await.reply()
}

#[tokio::test]
async fn dates_and_lists_are_written_as_the_sample_writes_them() {
    let upstream = start().await;
    let answer = ask_detailed(&upstream, ON_BOTH_LISTS).await.reply().json();
    let registered = answer["inscripcion"].as_str().unwrap();
    assert!(registered.ends_with("T00:00:00.000Z") && registered.len() == 24, "{registered}");
    assert!(answer["actividades"][0].as_str().unwrap().starts_with("Principal    - "));
}

#[tokio::test]
async fn the_number_may_stand_in_the_path_the_query_or_the_body() {
    let upstream = start().await;
    assert_eq!(upstream.provider_url("nested").unwrap(), format!("http://{}/nested/api/ruc", upstream.address()));
    let body = format!("{{\"token\": \"t\", \"ruc\": \"{COMPANY}\"}}");
    let answer = ask_nested(&upstream, "authorization: Bearer t\r\n", &body).await.json();
    assert_eq!(
        answer["data"],
        json!({"ruc": COMPANY, "nombre": "3M PERU S A", "estado": "ACTIVO", "condicion": "HABIDO"})
    );
    assert_eq!(answer["success"], true);

    let by_query = DETAILED.replace("/v1/ruc/{ruc}", "/ruc?numero={ruc}&full=1");
    let providers = vec![ProviderShape::from_file("q", &by_query).unwrap()];
    let upstream = Upstream::start(loopback(), providers).await.unwrap();
    assert!(upstream.provider_url("q").unwrap().ends_with("/q/ruc?numero={ruc}&full=1"));
    let request = format!("GET /q/ruc?token=t&numero={COMPANY} HTTP/1.1\r\n\r\n");
    assert_eq!(send(&upstream, &request).await.reply().json()["ruc"], COMPANY);
}

#[tokio::test]
async fn a_request_without_a_token_is_not_let_in() {
    let upstream = start().await;
    let body = format!("{{\"ruc\": \"{COMPANY}\"}}");
    assert_eq!(ask_nested(&upstream, "", &body).await.status, 401);
    assert_eq!(ask_nested(&upstream, "Authorization: Bearer t\r\n", &body).await.status, 200);
    let request = format!("GET /detailed/v1/ruc/{COMPANY}?token= HTTP/1.1\r\n\r\n");
    assert_eq!(send(&upstream, &request).await.reply().status, 401);
}

#[tokio::test]
async fn an_unknown_ruc_gets_the_files_answer_or_404() {
    let upstream = start().await;
    let reply = ask_detailed(&upstream, ABSENT).await.reply();
    assert_eq!((reply.status, reply.json()["message"].as_str()), (200, Some("No se encontraron resultados.")));
    let reply = ask_nested(&upstream, "Authorization: t\r\n", &format!("{{\"ruc\": \"{ABSENT}\"}}")).await;
    assert_eq!((reply.status, reply.json()), (404, json!({})));
}

#[tokio::test]
async fn another_method_or_path_gets_404() {
    let upstream = start().await;
    for request in [format!("GET /nested/api/ruc?ruc={COMPANY}"), format!("POST /detailed/v1/ruc/{COMPANY}")] {
        assert_eq!(send(&upstream, &format!("{request} HTTP/1.1\r\n\r\n")).await.reply().status, 404, "{request}");
    }
    assert_eq!(upstream.provider_url("nobody"), None);
}

#[tokio::test]
async fn a_shape_that_cannot_be_rendered_is_refused_with_what_is_missing() {
    for (from, to, said) in [
        ("\n", "= no TOML", "is not TOML: "),
        ("method", "verb", "has no request.method"),
        ("found]", "lost]", "has no sample.found.body"),
        (r#""success": true"#, "success", "has a found answer that is not JSON: "),
    ] {
        let error = ProviderShape::from_file("p", &NESTED.replace(from, to)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("the file of \"p\" {said}")), "{error}");
    }
}
