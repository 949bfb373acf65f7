//! What callers get through nginx with the configuration of the documentation: the server's own answers unchanged, and
//! an envelope if nginx itself refuses a call or cannot reach the server.

use std::net::{SocketAddr, TcpListener};

use kuraka_sandbox::sample;
use serde_json::Value;

use super::http::{Answer, ask, get, lookup_request, request};
use super::nginx::Nginx;
use super::program::{Home, Serving, free_addresses};

/// Runs nginx in front of a server, for which the first padrón is missing.
fn serve() -> (Home, Serving, Nginx, String) {
    let home = Home::new().plan(1_000, 1_000).with("KURAKA__HTTP__TRUSTED_PROXIES", "127.0.0.1");
    let token = home.token("ana@example.pe");
    let serving = home.serve();
    let nginx = Nginx::start(serving.api);
    (home, serving, nginx, token)
}

fn look_up(to: SocketAddr, token: &str, headers: &str) -> Answer {
    ask(to, &lookup_request(token, sample::COMPANY, &format!("Connection: close\r\n{headers}"))).unwrap()
}

/// A body of this many bytes, all of which are sent.
fn large(to: SocketAddr, token: &str, bytes: usize, headers: &str) -> Answer {
    ask(to, &request("/ruc", token, &format!("Connection: close\r\n{headers}"), &" ".repeat(bytes))).unwrap()
}

/// The fields of an envelope without the time.
fn envelope(answer: &Answer) -> Value {
    assert_eq!(answer.header("content-type"), Some("application/json"), "{answer:?}");
    let mut json = answer.json();
    json.as_object_mut().unwrap().remove("time");
    json
}

/// Asserts that nginx answers for a server that does not.
fn is_unavailable(answer: &Answer) {
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")), "{answer:?}");
    let expected = serde_json::json!({
        "success": false,
        "code": "service_unavailable",
        "retryable": true,
        "message": "El servicio no está disponible por el momento. Reintente en unos segundos.",
    });
    assert_eq!(envelope(answer), expected);
}

#[test]
fn an_answer_through_nginx_is_the_server_s_own_also_to_a_large_body() {
    let (_home, serving, nginx, token) = serve();
    let [direct, proxied] = [serving.api, nginx.address].map(|to| look_up(to, &token, ""));
    assert_eq!((proxied.status, proxied.header("retry-after")), (503, direct.header("retry-after")));
    assert_eq!(envelope(&proxied), envelope(&direct));
    assert_eq!(envelope(&proxied)["code"], "upstream_unavailable");

    let direct = large(serving.api, &token, 5_000, "");
    for bytes in [5_000, 9_000, 1_000_000] {
        let proxied = large(nginx.address, &token, bytes, "X-Request-Id: venta-7\r\n");
        assert_eq!((proxied.status, proxied.header("x-request-id")), (413, Some("venta-7")), "{bytes}");
        assert_eq!(envelope(&proxied), envelope(&direct), "{bytes}");
    }
    assert_eq!(envelope(&direct)["code"], "payload_too_large");
    let beyond = large(nginx.address, &token, 4_000_000, "");
    assert_eq!((beyond.status, &envelope(&beyond)["code"]), (413, &envelope(&direct)["code"]));
}

#[test]
fn an_unreachable_server_is_answered_for_with_an_envelope() {
    let [free, _] = free_addresses();
    let saturated = [("location / {", "location = /saturated { return 503; }\nlocation / {")];
    let nginx = Nginx::start_with(free, &saturated);
    // 502 becomes 503, because the call was not made.
    let answer = look_up(nginx.address, "kur_x", "X-Request-Id: venta-7\r\n");
    is_unavailable(&answer);
    assert_eq!(answer.header("x-request-id"), Some("venta-7"));
    is_unavailable(&get(nginx.address, "/saturated"));
}

#[test]
fn a_silent_server_is_answered_for_with_an_envelope() {
    // The system accepts connections on its behalf.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let nginx = Nginx::start_with(silent.local_addr().unwrap(), &[("read_timeout 40s", "read_timeout 200ms")]);
    is_unavailable(&look_up(nginx.address, "kur_x", ""));
}

#[test]
fn nginx_keeps_the_request_ids_that_the_server_keeps_and_writes_no_path() {
    let (_home, serving, mut nginx, token) = serve();
    let long = "a".repeat(65);
    let with_token = format!("venta-{token}-7");
    let refused = ["a b", "a/b", "ñ", &long, sample::COMPANY, &token, &with_token];
    for (id, is_kept) in [("venta-7", true), ("0193A.b_c", true), ("20260115000001", true)]
        .into_iter()
        .chain(refused.into_iter().map(|id| (id, false)))
    {
        for to in [serving.api, nginx.address] {
            let answer = look_up(to, &token, &format!("X-Request-Id: {id}\r\n"));
            let answered = answer.header("x-request-id").unwrap();
            assert_eq!(answered == id.to_ascii_lowercase(), is_kept, "{id}: {answered}");
            assert!(!answered.is_empty(), "{id}");
        }
    }
    let path = format!("/ruc/{}?x=1", sample::PERSON);
    let answer = get(nginx.plain, &path);
    let location = format!("https://api.example.pe{path}");
    assert_eq!((answer.status, answer.header("location")), (308, Some(location.as_str())));
    assert_eq!(get(nginx.address, &path).status, 401);
    // Both logs have the same ids, and nginx's has no token and no RUC.
    assert_eq!(nginx.stop().len(), 11);
    let log = nginx.file("kuraka.log");
    assert!(log.contains(" venta-7\n") && log.contains(" 0193A.b_c\n"), "{log}");
    assert!(!log.contains(&token) && !log.contains(sample::COMPANY), "{log}");
    for log in ["requests", "kuraka.log", "kuraka-error.log", "errors"] {
        assert!(!nginx.file(log).contains(sample::PERSON), "{log}");
    }
}
