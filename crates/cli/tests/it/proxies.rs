//! The logged client address: the peer's, or the one that a trusted proxy reports.

use kuraka_sandbox::sample;
use serde_json::Value;

use super::http::{ask, lookup_request};
use super::program::Home;

/// The logged addresses of calls with these headers.
fn clients(trusted: &str, forwarded: &[&str]) -> Vec<String> {
    let home = Home::new().plan(1_000, 1_000).with("KURAKA__HTTP__TRUSTED_PROXIES", trusted);
    let (serving, token) = home.serve_sample("ana@example.pe");
    for headers in forwarded {
        let headers = format!("Connection: close\r\nForwarded: for=9.9.9.9\r\nX-Real-IP: 9.9.9.9\r\n{headers}\r\n");
        assert_eq!(ask(serving.api, &lookup_request(&token, sample::COMPANY, &headers)).unwrap().status, 200);
    }
    let log = serving.stop();
    let lines = log.iter().filter(|line| line.contains("\"answered\""));
    let client = |line: &String| serde_json::from_str::<Value>(line).unwrap()["client"].as_str().unwrap().to_owned();
    lines.map(client).collect()
}

#[test]
fn an_untrusted_client_cannot_forge_its_address() {
    let logged =
        clients("", &["X-Forwarded-For: 1.2.3.4", "X-Forwarded-For: 127.0.0.1, 1.2.3.4", "X-Forwarded-Host: x"]);
    assert_eq!(logged, ["127.0.0.1"; 3]);
    let logged = clients("10.0.0.0/8", &["X-Forwarded-For: 10.1.1.1"]);
    assert_eq!(logged, ["127.0.0.1"]);
}

#[test]
fn a_trusted_proxy_reports_the_last_untrusted_address() {
    let logged = clients(
        "127.0.0.0/8, 10.0.0.0/8",
        &[
            "X-Forwarded-For: 1.2.3.4",
            "X-Forwarded-For: 6.6.6.6, 1.2.3.4",
            "X-Forwarded-For: 6.6.6.6, 1.2.3.4, 10.0.0.7",
            "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 1.2.3.4",
            "X-Forwarded-For: 2001:db8::1",
            "X-Forwarded-For: 6.6.6.6:80, 1.2.3.4:56789",
            "X-Forwarded-For: [2001:db8::1]:443, 10.0.0.7:8080",
            "X-Forwarded-For: [2001:db8::1]",
            "X-Forwarded-For: ñ, 1.2.3.4",
            "X-Forwarded-For: ñ\r\nX-Forwarded-For: 1.2.3.4",
            "X-Forwarded-For: 6.6.6.6, nonsense",
            "Accept: */*",
        ],
    );
    let [v4, v6] = ["1.2.3.4", "2001:db8::1"];
    assert_eq!(logged, [v4, v4, v4, v4, v6, v4, v6, v6, v4, v4, "127.0.0.1", "127.0.0.1"]);
}
