//! Request smuggling: requests whose length a proxy and the server could read differently (RFC 9112, sections 6 and 11).
//!
//! The server alone runs what the RFC allows for each case and never a hidden request. Behind nginx, with the
//! configuration of the documentation, it runs exactly the requests that nginx forwards, and each client gets the answer
//! to its own request. `RELIABILITY_NGINX=yes` adds this part.

mod corpus;

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use kuraka_sandbox::sample;
use serde_json::Value;

use self::corpus::{Case, cases};
use super::http::{ask, lookup_request};
use super::nginx::Nginx;
use super::program::{DEADLINE, Home, Serving};
use super::reliability::{figure, setting};

/// How long a connection stays quiet before it is closed. The server needs about a millisecond for a case.
const QUIET: Duration = Duration::from_millis(500);

/// Sends the bytes of a case on a new connection, waits for the first answer, and reads until the connection is closed
/// or quiet.
fn send(to: SocketAddr, case: &Case) -> String {
    let mut stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(if case.endless > 0 { QUIET } else { DEADLINE })).unwrap();
    // The server may close the connection before it has read everything.
    let _ = stream.write_all(case.bytes.as_bytes());
    let mut answers = Vec::new();
    let mut buffer = [0; 4_096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                answers.extend_from_slice(&buffer[..read]);
                stream.set_read_timeout(Some(QUIET)).unwrap();
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    String::from_utf8(answers).unwrap()
}

/// The requests that the server has run so far: id and method of each.
fn run_so_far(serving: &mut Serving, token: &str) -> Vec<(String, String)> {
    // When this request is logged, all earlier ones are.
    let last = format!("last-{}", serving.logs().len());
    ask(
        serving.api,
        &lookup_request(token, sample::COMPANY, &format!("Connection: close\r\nX-Request-Id: {last}\r\n")),
    )
    .unwrap();
    serving.log(&last);
    let lines = serving.logs().iter().filter(|line| line.contains("\"answered\"") && !line.contains("\"last-"));
    let run = |line: &String| {
        let line: Value = serde_json::from_str(line).unwrap();
        (line["request_id"].as_str().unwrap().to_owned(), line["method"].as_str().unwrap().to_owned())
    };
    lines.map(run).collect()
}

/// A server, and a token for it.
fn serve() -> (Home, Serving, String) {
    let home = Home::new().plan(1_000_000, 100_000).with("KURAKA__HTTP__TRUSTED_PROXIES", "127.0.0.1");
    let (serving, token) = home.serve_sample("ana@example.pe");
    (home, serving, token)
}

#[test]
fn no_request_is_smuggled_past_the_server() {
    let (_home, mut serving, token) = serve();
    let cases = cases(&token);
    assert!(cases.len() >= 40);
    let api = serving.api;
    let answers: Vec<String> = thread::scope(|scope| {
        let sent: Vec<_> = cases.iter().map(|case| scope.spawn(move || send(api, case))).collect();
        sent.into_iter().map(|sent| sent.join().unwrap()).collect()
    });
    let run = run_so_far(&mut serving, &token);
    let mut wrong = Vec::new();
    for (case, answers) in cases.iter().zip(&answers) {
        let ran = run.iter().filter(|(id, _)| *id == case.id).count();
        let count = |part: &str| answers.matches(part).count();
        // A message that is not understood gets a 400 without a body, and the server runs nothing.
        let refused = count("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n");
        let answered = count("HTTP/1.1 ") + count("HTTP/1.0 ") - refused - count(" 100 Continue\r\n");
        let found = count(" 200 OK\r\n");
        let is_answered = answered <= ran && ran <= answered + case.endless;
        if !case.may_run.contains(&ran) || !is_answered || found > case.may_find {
            let Case { name, may_run, .. } = case;
            wrong.push(format!("{name}: {ran} run of {may_run:?}, {answered} answered, {found} found: {answers:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    let smuggled = run.iter().filter(|(id, method)| method == "PUT" || !id.starts_with("case-")).count();
    assert_eq!(smuggled, 0, "{run:?}");
    figure("S13", &format!("{} framings, directly", cases.len()), &format!("{} requests run, 0 smuggled", run.len()));
    if setting("NGINX").is_some() {
        behind_nginx();
    }
}

fn behind_nginx() {
    let (_home, mut serving, token) = serve();
    let mut nginx = Nginx::start(serving.api);
    let cases = cases(&token);
    let mut confused = Vec::new();
    for case in &cases {
        send(nginx.address, case);
        // nginx reuses its connections to the server, so this answer would be a smuggled request's.
        let next = ask(nginx.address, &lookup_request(&token, sample::ABSENT, "Connection: close\r\n")).unwrap();
        if next.status != 404 || !next.body.contains("document_not_found") {
            confused.push(format!("after {}: {next:?}", case.name));
        }
    }
    let run = run_so_far(&mut serving, &token);
    assert!(confused.is_empty(), "{}", confused.join("\n"));
    let mut ran: Vec<&str> = run.iter().map(|(id, _)| id.as_str()).collect();
    let mut forwarded = nginx.stop();
    ran.sort_unstable();
    forwarded.sort_unstable();
    assert_eq!(ran, forwarded, "the requests at the server and at nginx");
    assert!(forwarded.len() > cases.len(), "a request follows each case");
    assert!(run.iter().all(|(_, method)| method != "PUT"), "{run:?}");
    figure(
        "S13",
        &format!("{} framings behind nginx, a request after each", cases.len()),
        &format!("{} requests forwarded, the same {} run, 0 smuggled", forwarded.len(), run.len()),
    );
}
