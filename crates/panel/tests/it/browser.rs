//! A browser as far as the panel needs one: it keeps cookies, says where its forms come from, and sends back what the
//! hidden fields of a form hold.

use std::collections::BTreeMap;

use actix_web::body::MessageBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue, LOCATION, SET_COOKIE};
use actix_web::test::TestRequest;

use crate::stage::Stage;

/// The host that every request names.
pub(crate) const HOST: &str = "panel.example";

/// A browser with its cookies.
pub(crate) struct Browser<'a> {
    pub(crate) stage: &'a Stage,
    pub(crate) cookies: BTreeMap<String, String>,
}

/// What it was shown.
pub(crate) struct Shown {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(stage: &'a Stage) -> Self {
        Self { stage, cookies: BTreeMap::new() }
    }

    /// Opens an address.
    pub(crate) async fn get(&mut self, path: &str) -> Shown {
        self.send(TestRequest::get().uri(path)).await
    }

    /// Fills in the form of the page at `page` that goes to `action`, and sends it.
    pub(crate) async fn submit(&mut self, page: &str, action: &str, fields: &[(&str, &str)]) -> Shown {
        let token = self.get(page).await.form_token();
        self.post(action, &[fields, &[("form_token", &token)]].concat()).await
    }

    /// Sends a form from a page of ours.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Shown {
        self.send(form(path, fields).insert_header(("Sec-Fetch-Site", "same-origin"))).await
    }

    /// Sends what is given, with the cookies, and keeps those that come back.
    pub(crate) async fn send(&mut self, request: TestRequest) -> Shown {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = request.insert_header(("Host", HOST));
        let request = if cookies.is_empty() { request } else { request.insert_header((COOKIE, cookies.join("; "))) };
        let shown = self.stage.answer(request).await;
        for line in shown.headers.get_all(SET_COOKIE) {
            let line = line.to_str().unwrap();
            let (name, rest) = line.split_once('=').unwrap();
            match rest.split_once(';').unwrap() {
                (_, attributes) if attributes.contains("Max-Age=0") => drop(self.cookies.remove(name)),
                (value, _) => drop(self.cookies.insert(name.to_owned(), value.to_owned())),
            }
        }
        shown
    }
}

/// A form, from nowhere in particular.
pub(crate) fn form(path: &str, fields: &[(&str, &str)]) -> TestRequest {
    TestRequest::post().uri(path).set_form(fields)
}

impl Shown {
    pub(crate) async fn of<B: MessageBody>(response: actix_web::HttpResponse<B>) -> Self {
        let (response, body) = response.into_parts();
        let bytes = actix_web::body::to_bytes(body).await.unwrap_or_else(|_| panic!("the body breaks off"));
        let body = String::from_utf8(bytes.to_vec()).unwrap();
        Self { status: response.status(), headers: response.headers().clone(), body }
    }

    pub(crate) fn header(&self, name: &HeaderName) -> &str {
        self.headers.get(name).map_or("", |value: &HeaderValue| value.to_str().unwrap())
    }

    /// Where it leads.
    pub(crate) fn leads_to(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.body);
        self.header(&LOCATION)
    }

    /// The token of its forms.
    pub(crate) fn form_token(&self) -> String {
        let (_, rest) = self.body.split_once("name=\"form_token\" value=\"").expect("the page has a form");
        rest.split('"').next().unwrap().to_owned()
    }

    /// What stands between the first `before` and the next `after`.
    pub(crate) fn between(&self, before: &str, after: &str) -> &str {
        let (_, rest) = self.body.split_once(before).unwrap_or_else(|| panic!("no {before} in {}", self.body));
        rest.split_once(after).unwrap().0
    }

    pub(crate) fn is_html(&self) -> bool {
        self.header(&CONTENT_TYPE) == "text/html; charset=utf-8"
    }

    #[track_caller]
    pub(crate) fn says(&self, text: &str) {
        assert!(self.body.contains(text), "{text:?} is not in {}", self.body);
    }

    #[track_caller]
    pub(crate) fn hides(&self, text: &str) {
        assert!(!self.body.contains(text), "{text:?} is in {}", self.body);
    }
}
