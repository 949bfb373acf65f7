//! A minimal browser: it keeps cookies, sends the headers that say where a form came from, and returns the hidden CSRF
//! token of a form.

use std::collections::BTreeMap;
use std::rc::Rc;

use actix_web::HttpResponse;
use actix_web::body::MessageBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue, LOCATION, SET_COOKIE};
use actix_web::test::TestRequest;

use kuraka_app::ChargedCall;
use kuraka_domain::ResultCode;

use crate::test_app::TestApp;

/// The `Host` header of every request.
pub(crate) const HOST: &str = "panel.example";

/// A browser with its cookies.
pub(crate) struct Browser<'a> {
    pub(crate) app: &'a TestApp,
    pub(crate) cookies: BTreeMap<String, String>,
}

/// A response with its whole body.
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
    /// The call of an operation that the page made.
    pub(crate) call: Option<Rc<ChargedCall>>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(app: &'a TestApp) -> Self {
        Self { app, cookies: BTreeMap::new() }
    }

    /// Opens a page.
    pub(crate) async fn get(&mut self, path: &str) -> Response {
        self.send(TestRequest::get().uri(path)).await
    }

    /// Opens a page by a link of the panel.
    pub(crate) async fn follow(&mut self, path: &str) -> Response {
        self.send(TestRequest::get().uri(path).insert_header(("Sec-Fetch-Site", "same-origin"))).await
    }

    /// Submits the form of the log-in.
    pub(crate) async fn log_in(&mut self, email: &str, password: &str) -> Response {
        self.submit("/ingresar", "/ingresar", &[("email", email), ("password", password)]).await
    }

    pub(crate) async fn sign_up(&mut self, email: &str, password: &str) -> Response {
        self.submit("/registro", "/registro", &[("email", email), ("password", password)]).await
    }

    pub(crate) async fn log_out(&mut self) -> Response {
        self.submit("/panel/tokens", "/salir", &[]).await
    }

    /// Opens `page`, fills in its form, and submits it to `action`.
    pub(crate) async fn submit(&mut self, page: &str, action: &str, fields: &[(&str, &str)]) -> Response {
        let token = self.get(page).await.form_token();
        self.post(action, &[fields, &[("form_token", &token)]].concat()).await
    }

    /// Submits a form as if it came from a page of the panel.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Response {
        self.send(form(path, fields).insert_header(("Sec-Fetch-Site", "same-origin"))).await
    }

    /// Sends a request with the cookies, and reads nothing of the answer.
    pub(crate) async fn open(&self, request: TestRequest) -> HttpResponse {
        self.app.open(self.with_cookies(request)).await
    }

    fn with_cookies(&self, request: TestRequest) -> TestRequest {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = request.insert_header(("Host", HOST));
        if cookies.is_empty() { request } else { request.insert_header((COOKIE, cookies.join("; "))) }
    }

    /// Sends a request with the cookies, and applies the `Set-Cookie` headers of the response.
    pub(crate) async fn send(&mut self, request: TestRequest) -> Response {
        let response = self.app.answer(self.with_cookies(request)).await;
        for line in response.headers.get_all(SET_COOKIE) {
            let line = line.to_str().unwrap();
            let (name, rest) = line.split_once('=').unwrap();
            match rest.split_once(';').unwrap() {
                (_, attributes) if attributes.contains("Max-Age=0") => drop(self.cookies.remove(name)),
                (value, _) => drop(self.cookies.insert(name.to_owned(), value.to_owned())),
            }
        }
        response
    }
}

/// A form with a file, from a page of the panel.
pub(crate) fn upload(to: &str, token: &str, file: &[u8], fields: &[(&str, &str)]) -> TestRequest {
    let mut body = Vec::new();
    for (name, text) in [&[("form_token", token)], fields].concat() {
        body.extend(format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n").bytes());
    }
    body.extend(b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n");
    body.extend(file);
    body.extend(b"\r\n--x--\r\n");
    let request = TestRequest::post().uri(to).insert_header((CONTENT_TYPE, "multipart/form-data; boundary=x"));
    request.insert_header(("Sec-Fetch-Site", "same-origin")).set_payload(body)
}

/// A form without headers that say where it came from.
pub(crate) fn form(path: &str, fields: &[(&str, &str)]) -> TestRequest {
    TestRequest::post().uri(path).set_form(fields)
}

impl Response {
    pub(crate) async fn read<B: MessageBody>(response: actix_web::HttpResponse<B>) -> Self {
        let (response, body) = response.into_parts();
        let bytes = actix_web::body::to_bytes(body).await.unwrap_or_else(|_| panic!("the body breaks off"));
        let body = String::from_utf8(bytes.to_vec()).unwrap();
        Self { status: response.status(), headers: response.headers().clone(), body, call: None }
    }

    pub(crate) fn header(&self, name: &HeaderName) -> &str {
        self.headers.get(name).map_or("", |value: &HeaderValue| value.to_str().unwrap())
    }

    /// The target of a redirect.
    pub(crate) fn location(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.body);
        self.header(&LOCATION)
    }

    /// The CSRF token of its forms.
    pub(crate) fn form_token(&self) -> String {
        let (_, rest) = self.body.split_once("name=\"form_token\" value=\"").expect("the page has a form");
        rest.split('"').next().unwrap().to_owned()
    }

    /// The operation that the page called, what it was charged, and its result.
    pub(crate) fn charged(&self) -> Option<(&'static str, u64, ResultCode)> {
        let call = self.call.as_ref()?;
        Some((call.operation.name, call.queries(), call.result().unwrap()))
    }

    /// The text between the first `before` and the next `after`.
    pub(crate) fn between(&self, before: &str, after: &str) -> &str {
        let (_, rest) = self.body.split_once(before).unwrap_or_else(|| panic!("no {before} in {}", self.body));
        rest.split_once(after).unwrap().0
    }

    pub(crate) fn is_html(&self) -> bool {
        self.header(&CONTENT_TYPE) == "text/html; charset=utf-8"
    }

    #[track_caller]
    pub(crate) fn assert_all(&self, texts: impl IntoIterator<Item = impl AsRef<str>>) {
        for text in texts {
            self.assert_contains(text.as_ref());
        }
    }

    #[track_caller]
    pub(crate) fn assert_none(&self, texts: impl IntoIterator<Item = impl AsRef<str>>) {
        for text in texts {
            self.assert_lacks(text.as_ref());
        }
    }

    #[track_caller]
    pub(crate) fn assert_contains(&self, text: &str) {
        assert!(self.body.contains(text), "{text:?} is not in {}", self.body);
    }

    #[track_caller]
    pub(crate) fn assert_lacks(&self, text: &str) {
        assert!(!self.body.contains(text), "{text:?} is in {}", self.body);
    }
}
