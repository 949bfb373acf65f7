//! A server that is killed while it looks up a list.

use std::io;
use std::net::SocketAddr;

use kuraka_domain::{Ruc, RucKind};
use kuraka_sandbox::sample;
use tokio::time::Instant;

use super::canaries::{PASSWORD, log_in};
use super::http::{Answer, ask};
use super::program::{DEADLINE, Home};

const EMAIL: &str = "ana@example.pe";

/// A browser with a session of the panel.
pub(crate) struct Owner {
    pub(crate) api: SocketAddr,
    pub(crate) session: String,
}

impl Owner {
    fn get(&self, path: &str) -> io::Result<Answer> {
        let (api, session) = (self.api, &self.session);
        let head = format!("Host: {api}\r\nConnection: close\r\nCookie: kuraka={session}\r\nSec-Fetch-Site: none\r\n");
        ask(api, &format!("GET {path} HTTP/1.1\r\n{head}\r\n"))
    }

    pub(crate) fn post(&self, path: &str, fields: &str) -> Answer {
        self.try_post(path, fields).unwrap()
    }

    /// An error if the server ends meanwhile.
    pub(crate) fn try_post(&self, path: &str, fields: &str) -> io::Result<Answer> {
        let (api, session, page) = (self.api, &self.session, self.get("/panel/lista")?.body);
        let (_, rest) = page.split_once("name=\"form_token\" value=\"").ok_or(io::ErrorKind::InvalidData)?;
        let form = format!("form_token={}&{fields}", rest.split('"').next().unwrap());
        let head = format!("Host: {api}\r\nOrigin: http://{api}\r\nConnection: close\r\nCookie: kuraka={session}");
        let kind = format!("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}", form.len());
        ask(api, &format!("POST {path} HTTP/1.1\r\n{head}\r\n{kind}\r\n\r\n{form}"))
    }

    /// The page, as soon as it has a text.
    fn wait(&self, path: &str, text: &str) -> String {
        let begun = Instant::now();
        loop {
            let page = self.get(path).unwrap().body;
            if page.contains(text) {
                return page;
            }
            assert!(begun.elapsed() < DEADLINE, "{text} is not in {page}");
        }
    }
}

#[test]
fn a_killed_server_has_charged_what_it_has_stored() {
    // Three batches at once, then one a second.
    let home = Home::new().plan(1_000, 1).with("KURAKA__PLANS__FREE__BURST", "3");
    home.run(&["account", "create", "--email", EMAIL]).succeeded();
    home.run_with(&["account", "set-password", "--email", EMAIL], &[], PASSWORD).succeeded();
    home.import(sample::PADRON);
    let rucs: Vec<_> =
        (10_000_000..10_000_500).map(|body| Ruc::from_parts(RucKind::LegalPerson, body).unwrap()).collect();
    let text = rucs.iter().map(ToString::to_string).collect::<Vec<_>>().join("%0A");

    let serving = home.serve();
    let mut owner = Owner { api: serving.api, session: log_in(serving.api, EMAIL) };
    let list = owner.post("/panel/lista", &format!("text={text}")).header("location").unwrap().to_owned();
    assert_eq!(owner.post(&format!("{list}/consultar"), "modo=rucs").status, 303);
    owner.wait(&list, "300 de 500 consultados.");
    serving.kill();

    let serving = home.serve();
    owner.api = serving.api;
    let page = owner.wait(&list, "500 RUC consultados");
    assert!(page.contains("Costó 500 consultas;"), "{page}");
    owner.wait("/panel/consumo", "id=\"used\">500<");
    serving.stop();
}
