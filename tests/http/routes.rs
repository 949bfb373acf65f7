//! Paths and methods: unknown ones get their own codes, and similar paths are unknown.

use kuraka_sandbox::sample;

use crate::shared::shared;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_wrong_method_gets_the_allowed_ones() {
    let (app, owner) = shared().await;
    for (path, allowed) in [("/ruc", "POST"), ("/api/ruc", "POST"), ("/ruc/20100119227", "GET")] {
        for method in ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT2", "FOO", "post", "get"] {
            let answer = app.request(method, path).token(&owner.token).ruc(sample::COMPANY).send().await;
            let message = answer.refused("method_not_allowed");
            assert_eq!(answer.must("allow"), allowed, "{method} {path}");
            assert!(message.contains(&format!("Use {allowed}")), "{method} {path}: {message}");
        }
    }
    assert_eq!(app.used(&owner).await, 0);
}

/// Targets whose requests are answered alike, and the answers to GET, POST, HEAD and OPTIONS: the status, then the code
/// in the envelope or otherwise the content type, then the allowed method. The answers to calls and pages were recorded
/// when one router matched all paths.
const ANSWERS: [(&str, [&str; 4]); 8] = [
    (
        "/ruc /ruc?ruc=1 /ruc? /api/ruc?/usage /ruc#a /%72uc /%72%75%63 /r%75c?x=%2f /%61pi/ruc http://host/ruc \
         /api/ruc/ //api/ruc /api//ruc?x /%61pi/%72uc/ http://host/api/%72uc?x",
        ["405 method_not_allowed POST", "200 found", "405 application/json POST", "405 method_not_allowed POST"],
    ),
    (
        "/ruc/20100119227 /api/ruc/20100119227?x /ruc/2010011922%37 /%72uc/20100119227 /ruc-ficha/20100119227 \
         /ruc_ficha/20100119227 /ruc_ficha//20100119227 /api/ruc/20100119227/",
        ["200 found", "405 method_not_allowed GET", "405 application/json GET", "405 method_not_allowed GET"],
    ),
    (
        "/usage /us%61ge /api/usage?x",
        ["200 found", "405 method_not_allowed GET", "405 application/json GET", "405 method_not_allowed GET"],
    ),
    (
        "/ruc/x/ /ruc/x/y /ruc//x /x/../ruc /./ruc /ruc;a=b /ruc%00 /ruc.json /api/ /api/ruc/x/y /cpe/x /rucs \
         /healthz /readyz /metrics /favicon.ico /%2fruc /ruc%2F /ruc%20 /ruc% /ruc%7 /ruc%zz /api%2fruc /ruc%25 \
         /ru%2563 /ruc/ /ruc// //ruc //usage/ /ruc+ /RUC /apiruc /api/api/ruc /api /usage/ /usage%00 /ruc%c3%a9 /%ff \
         * /usage/20100119227 /openapi.json/",
        ["404 route_not_found", "404 route_not_found", "404 application/json", "404 route_not_found"],
    ),
    (
        "/ http://host /docs /d%6fcs",
        ["200 text/html; charset=utf-8", "404 route_not_found", "200 text/html; charset=utf-8", "404 route_not_found"],
    ),
    ("/docs/", ["308", "404 route_not_found", "308", "404 route_not_found"]),
    ("/openapi.json", ["200 application/json", "405  GET", "405  GET", "405  GET"]),
    ("/llms.txt?x", ["200 text/plain; charset=utf-8", "405  GET", "405  GET", "405  GET"]),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn odd_paths_and_methods_are_answered_as_recorded() {
    let (app, owner) = shared().await;
    for (target, answers) in
        ANSWERS.iter().flat_map(|(targets, answers)| targets.split(' ').map(move |to| (to, answers)))
    {
        for (method, expected) in ["GET", "POST", "HEAD", "OPTIONS"].into_iter().zip(answers) {
            let answer = app.request(method, target).token(&owner.token).ruc(sample::COMPANY).send().await;
            let content = match answer.header("content-type") {
                Some("application/json") if answer.body.starts_with("{\"success\"") => answer.code(),
                content => content.unwrap_or_default().to_owned(),
            };
            let line = format!("{} {content} {}", answer.status, answer.header("allow").unwrap_or_default());
            assert_eq!(line.trim_end(), *expected, "{method} {target}");
        }
    }
}
