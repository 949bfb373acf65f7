//! The pages of webhooks: one is made; another, which the operator made, is tested, and deleted after a question.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use kuraka_ports::{Accounts, Email, TokenKind};

use crate::app::{App, scene};
use crate::operator::operator;
use crate::story::{Visit, WINDOWS};

/// A server on loopback that answers 404 with a text; returns its address and a long URL of it.
pub(crate) fn receiver() -> (SocketAddr, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 65_536];
            let _ = stream.read(&mut request);
            let body = "{\"error\": \"todavía no está listo el módulo que recibe los avisos\"}";
            let head = format!("HTTP/1.1 404 No\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(&[head.as_bytes(), body.as_bytes()].concat());
        }
    });
    (address, format!("http://{address}/avisos?{}", "x".repeat(300)))
}

pub(crate) async fn made_by_the_operator(app: &App, email: &str, url: &str) {
    let account = Accounts::find(&*app.store, &Email::parse(email).unwrap()).await.unwrap().unwrap();
    operator(app).create(account.id, url, true, TokenKind::Live).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_owner_makes_tests_and_deletes_a_webhook() {
    let (app, (_, url)) = (scene().set("webhooks.allowed_networks", "127.0.0.0/8").start().await, receiver());
    for window in WINDOWS {
        let visit = Visit::begin(&app, window).await;
        let Visit { browser, base, .. } = &visit;
        let email = format!("{}@webhooks.example", window.name);
        visit.enter("/registro", &email).await;
        browser.open(&format!("{base}/panel/avisos")).await;
        visit.look("webhooks-empty").await;
        browser.write("#url", &format!("https://erp.example.pe/avisos?{}", "x".repeat(300))).await;
        browser.click("form[action='/panel/avisos'] button").await;
        let secret = browser.read("#secret").await;
        assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
        visit.look("webhook-made").await;
        made_by_the_operator(&app, &email, &url).await;
        browser.open(&format!("{base}/panel/avisos")).await;
        browser.click("a[aria-label^='Ver http://']").await;
        browser.click("button[value='probar']").await;
        browser.read("table.cards").await;
        visit.look("webhook-tested").await;
        browser.click("button[value='pausar']").await;
        browser.read("button[value='activar']").await;
        browser.open(&format!("{base}/panel/avisos")).await;
        visit.look("webhooks").await;
        browser.click("a[aria-label^='Ver http://']").await;
        browser.read("button[value='eliminar']").await;
        browser.click("button[value='eliminar']").await;
        browser.read("button[value='confirmar']").await;
        visit.look("webhook-delete").await;
        browser.click("button[value='confirmar']").await;
        browser.arrives_at("/panel/avisos").await;
        visit.check_what_the_browser_saw().await;
    }
}
