//! A browser that logs in to the panel and submits its forms.

use std::io;
use std::net::SocketAddr;

use tokio::time::Instant;

use super::http::{Answer, ask};
use super::program::{DEADLINE, Home};

pub(crate) const PASSWORD: &str = "canario-de-contraseña";

pub(crate) fn form_token(page: &str) -> Option<&str> {
    page.split_once("name=\"form_token\" value=\"")?.1.split('"').next()
}

fn post(api: SocketAddr, path: &str, cookie: &str, form: &str) -> io::Result<Answer> {
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {api}\r\nOrigin: http://{api}\r\nConnection: close\r\nCookie: {cookie}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    );
    ask(api, &request)
}

/// Opens a page without a session, and submits its form.
pub(crate) fn submit(api: SocketAddr, path: &str, fields: &str) -> io::Result<Answer> {
    let page = ask(api, &format!("GET {path} HTTP/1.1\r\nHost: {api}\r\nConnection: close\r\n\r\n"))?;
    let cookie = page.header("set-cookie").unwrap().split(';').next().unwrap();
    post(api, path, cookie, &format!("form_token={}&{fields}", form_token(&page.body).unwrap()))
}

impl Home {
    pub(crate) fn set_password(&self, email: &str) {
        self.run_with(&["account", "set-password", "--email", email], &[], PASSWORD).succeeded();
    }
}

/// A browser with a session of the panel.
pub(crate) struct Owner {
    pub(crate) api: SocketAddr,
    pub(crate) session: String,
}

impl Owner {
    pub(crate) fn log_in(api: SocketAddr, email: &str) -> Self {
        let (email, password) = (email.replace('@', "%40"), PASSWORD.replace('ñ', "%C3%B1"));
        let answer = submit(api, "/ingresar", &format!("email={email}&password={password}")).unwrap();
        assert_eq!(answer.status, 303, "{answer:?}");
        let mut cookies = answer.head.lines().filter_map(|line| line.strip_prefix("set-cookie: kuraka="));
        let session = cookies.next().unwrap().split(';').next().unwrap().to_owned();
        Self { api, session }
    }

    pub(crate) fn get(&self, path: &str) -> io::Result<Answer> {
        let (api, session) = (self.api, &self.session);
        let head = format!("Host: {api}\r\nConnection: close\r\nCookie: kuraka={session}\r\nSec-Fetch-Site: none\r\n");
        ask(api, &format!("GET {path} HTTP/1.1\r\n{head}\r\n"))
    }

    pub(crate) fn post(&self, path: &str, fields: &str) -> Answer {
        self.try_post(path, fields).unwrap()
    }

    /// An error if the server ends meanwhile.
    pub(crate) fn try_post(&self, path: &str, fields: &str) -> io::Result<Answer> {
        let page = self.get("/panel/lista")?.body;
        let token = form_token(&page).ok_or(io::ErrorKind::InvalidData)?;
        post(self.api, path, &format!("kuraka={}", self.session), &format!("form_token={token}&{fields}"))
    }

    /// The page, as soon as it has a text.
    pub(crate) fn wait(&self, path: &str, text: &str) -> String {
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
