//! `kuraka webhook`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver as Events, Sender, channel};
use std::thread;

use kuraka_sandbox::sample;

use super::program::{DEADLINE, Home};

pub(crate) const ANA: &str = "ana@example.pe";

/// A delivery that a receiver got. It answers when it is told to.
pub(crate) struct Got {
    pub(crate) message: String,
    signature: String,
    pub(crate) body: String,
    pub(crate) answer: Sender<&'static str>,
}

/// Starts a receiver on loopback; returns its address and what it gets.
pub(crate) fn receiver() -> (String, Events<Got>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/avisos", listener.local_addr().unwrap());
    let (events, got) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, events) = (stream.unwrap(), events.clone());
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let head: Vec<String> =
                    reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
                let header = |name: &str| {
                    let named = head.iter().find(|line| line.to_lowercase().starts_with(&format!("{name}: ")));
                    named.unwrap().split_once(": ").unwrap().1.to_owned()
                };
                let mut body = vec![0; header("content-length").parse().unwrap()];
                reader.read_exact(&mut body).unwrap();
                let (answer, answers) = channel();
                let (message, signature) = (header("webhook-id"), header("webhook-signature"));
                let body = String::from_utf8(body).unwrap();
                let _ = events.send(Got { message, signature, body, answer });
                if let Ok(status) = answers.recv() {
                    // The server may have been killed.
                    let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nya");
                }
            });
        }
    });
    (url, got)
}

#[test]
fn a_webhook_is_created_tested_changed_and_deleted() {
    let (url, got) = receiver();
    let closed = Home::new();
    closed.import(sample::PADRON);
    closed.token(ANA);
    let create = |home: &Home, url: &str| home.run(&["webhook", "create", "--email", ANA, "--url", url]);
    for (url, why) in
        [(&*url, "must be https, on port 443 or 8443"), ("https://127.0.0.1/", "must be in the public network")]
    {
        let line = create(&closed, url).failed();
        assert!(
            line.contains(why) && line.ends_with("; webhooks.allowed_networks may name a private network"),
            "{line}"
        );
    }
    let home = closed.with("KURAKA__WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.0/8");
    let secret = create(&home, &url).succeeded();
    assert!(secret.starts_with("whsec_") && secret.len() == 51, "{secret}");

    let run = |command: &str| home.run(&["webhook", command, "1"]);
    // Tests one after another; the receiver answers the next one with this status.
    let test = |status: &'static str| {
        thread::scope(|scope| {
            let testing = scope.spawn(|| run("test"));
            let delivery = got.recv_timeout(DEADLINE).unwrap();
            delivery.answer.send(status).unwrap();
            (testing.join().unwrap(), delivery)
        })
    };
    let (finished, delivery) = test("200 OK");
    assert!(finished.succeeded().starts_with("answered 200 after "));
    assert!(delivery.body.starts_with("{\"type\":\"prueba\",") && delivery.message.starts_with("msg_"));
    assert_eq!(delivery.signature.split(' ').count(), 1);
    assert!(test("500 No").0.failed().starts_with("answered 500 after "));
    let rotated = run("rotate").succeeded();
    assert!(rotated.starts_with("whsec_") && rotated != secret);
    assert_eq!(test("200 OK").1.signature.split(' ').count(), 2, "both secrets sign");

    home.run(&["webhook", "create", "--email", ANA, "--url", &url, "--test"]).succeeded();
    thread::scope(|scope| {
        let testing = scope.spawn(|| home.run(&["webhook", "test", "2"]));
        let delivery = got.recv_timeout(DEADLINE).unwrap();
        delivery.answer.send("200 OK").unwrap();
        assert!(delivery.body.starts_with("{\"type\":\"contribuyente.cambios\","), "{}", delivery.body);
        assert!(delivery.body.contains(sample::DESCRIBED), "{}", delivery.body);
        testing.join().unwrap().succeeded();
    });
    let list = || home.run(&["webhook", "list", "--email", ANA]).succeeded();
    run("pause").succeeded();
    assert!(list().contains("paused"));
    run("resume").succeeded();
    assert!(list().contains("active") && !list().contains("whsec_"));
    run("delete").succeeded();
    assert!(!list().contains("active") && list().contains(" test "));
    assert!(run("test").failed().contains("there is no webhook 1"));
}
