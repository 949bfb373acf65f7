//! Pages and documents have the same id, metrics, log line and connection handling as calls.

use std::net::SocketAddr;

use serde_json::Value;

use super::http::{Answer, ask, get};
use super::program::Home;

/// Path, status, and the log fields `operation` and `route`.
const PAGES: [(&str, u16, &str, &str); 10] = [
    ("/", 200, "panel", "/"),
    ("/ingresar", 200, "panel", "/ingresar"),
    ("/panel", 303, "panel", "/panel"),
    ("/panel/tokens/7/revocar", 303, "panel", "/panel/tokens/{id}/revocar"),
    ("/docs", 200, "docs", "/docs"),
    ("/docs/", 308, "docs", "/docs/"),
    ("/docs/primera-consulta", 200, "docs", "/docs/primera-consulta"),
    ("/docs/cambiar-de-servicio", 200, "docs", "/docs/cambiar-de-servicio"),
    ("/openapi.json", 200, "docs", "/openapi.json"),
    ("/llms.txt", 200, "docs", "/llms.txt"),
];

fn page(to: SocketAddr, path: &str, headers: &str) -> Answer {
    ask(to, &format!("GET {path} HTTP/1.1\r\nHost: {to}\r\nAccept: text/html\r\n{headers}\r\n")).unwrap()
}

#[test]
fn pages_are_logged_and_counted_with_a_request_id() {
    let home = Home::new();
    let mut serving = home.serve();
    for (at, (path, status, operation, route)) in PAGES.into_iter().enumerate() {
        let id = format!("page-{at}");
        let answer = page(serving.api, path, &format!("X-Request-Id: {id}\r\nConnection: close\r\n"));
        assert_eq!((answer.status, answer.header("x-request-id")), (status, Some(&*id)), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        let line: Value = serde_json::from_str(&serving.log(&format!("\"request_id\":\"{id}\""))).unwrap();
        assert_eq!((&line["message"], &line["operation"]), (&"answered".into(), &operation.into()), "{line}");
        assert_eq!((&line["status"], &line["route"]), (&status.into(), &route.into()), "{line}");
        assert_eq!((&line["method"], &line["client"]), (&"GET".into(), &"127.0.0.1".into()), "{line}");
        assert!(line["micros"].is_u64() && line.get("account").is_none(), "{line}");
    }
    assert_eq!(page(serving.api, "/docs/", "Connection: close\r\n").header("location"), Some("/docs"));
    let made = get(serving.api, "/openapi.json").header("x-request-id").unwrap().to_owned();
    assert_eq!((made.len(), made.as_bytes()[14]), (36, b'7'), "{made}");
    let lost = page(serving.api, "/nada", "Connection: close\r\nX-Request-Id: lost\r\n");
    assert_eq!((lost.status, lost.header("x-request-id")), (404, Some("lost")));
    assert!(lost.header("content-type").unwrap().starts_with("text/html"));
    assert_eq!(get(serving.api, "/nada").header("content-type"), Some("application/json"));

    for path in ["/openapi.json", "/llms.txt"] {
        let posted =
            format!("POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", serving.api);
        assert_eq!(ask(serving.api, &posted).unwrap().status, 405, "{path}");
    }

    let metrics = get(serving.admin, "/metrics").body;
    for line in [
        r#"kuraka_answers_total{operation="panel",code="found"} 4"#,
        r#"kuraka_answers_total{operation="panel",code="route_not_found"} 1"#,
        r#"kuraka_answers_total{operation="docs",code="found"} 8"#,
        r#"kuraka_answers_total{operation="other",code="route_not_found"} 1"#,
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
}

#[test]
fn a_stopping_server_closes_page_connections() {
    let home = Home::new().with("KURAKA__HTTP__STOP_DELAY", "30s");
    let mut serving = home.serve();
    serving.signal("TERM");
    serving.log("stopping soon");
    // Without `Connection: close` from the client: `ask` returns because the server closes.
    for (path, status, ..) in PAGES {
        let answer = page(serving.api, path, "");
        assert_eq!((answer.status, answer.header("connection")), (status, Some("close")), "{path}");
    }
}

#[test]
fn calls_are_logged_with_the_path_of_their_operation() {
    let home = Home::new();
    let mut serving = home.serve();
    let to = serving.api;
    for (at, (method, path, status, route)) in [
        ("POST", "/ruc", 401, Some("/ruc")),
        ("POST", "/api/ruc?a=b", 401, Some("/api/ruc")),
        ("POST", "/%72uc", 401, Some("/ruc")),
        ("PUT", "/api/cpe", 405, Some("/api/cpe")),
        ("GET", "/api/ruc_official/20100119227", 401, Some("/api/ruc_official/{ruc}")),
        ("POST", "/ruc/20100119227", 405, Some("/ruc/{ruc}")),
        ("POST", "/cpe/20100119227", 404, Some("/{path:.*}")),
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("call-{at}");
        let head = format!("Host: {to}\r\nX-Request-Id: {id}\r\nContent-Length: 0\r\nConnection: close\r\n");
        assert_eq!(ask(to, &format!("{method} {path} HTTP/1.1\r\n{head}\r\n")).unwrap().status, status, "{path}");
        let line: Value = serde_json::from_str(&serving.log(&format!("\"request_id\":\"{id}\""))).unwrap();
        assert_eq!(line.get("route").and_then(Value::as_str), route, "{line}");
    }
}
