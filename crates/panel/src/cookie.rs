//! The panel's two cookies: one holds the session, the other ties a form to a browser that has no session yet.
//!
//! Over https both are `Secure` and have a `__Host-` name, which no other host and no plain connection can set. Browsers
//! refuse such cookies over plain http, so that they have ordinary names there.

use actix_web::http::header::{COOKIE, HeaderValue, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse};

use crate::site::Site;

/// A cookie of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// Holds the secret of the session.
    Session,
    /// Holds the secret behind the tokens of forms without a session.
    Form,
}

impl Cookie {
    fn name(self, site: &Site) -> &'static str {
        match (self, site.is_secure()) {
            (Self::Session, true) => "__Host-kuraka",
            (Self::Session, false) => "kuraka",
            (Self::Form, true) => "__Host-kuraka-form",
            (Self::Form, false) => "kuraka-form",
        }
    }

    /// The value that the browser sent.
    pub(crate) fn read<'a>(self, request: &'a HttpRequest, site: &Site) -> Option<&'a str> {
        let headers = request.headers().get_all(COOKIE).filter_map(|value| value.to_str().ok());
        let mut pairs = headers.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let name = self.name(site);
        pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Sets the cookie until the browser is closed. `value` is ASCII letters and digits.
    pub(crate) fn set(self, site: &Site, value: &str, response: &mut HttpResponse) {
        self.write(site, &format!("{value}; "), response);
    }

    /// Deletes the cookie in the browser.
    pub(crate) fn forget(self, site: &Site, response: &mut HttpResponse) {
        self.write(site, "; Max-Age=0; ", response);
    }

    fn write(self, site: &Site, value: &str, response: &mut HttpResponse) {
        let secure = if site.is_secure() { "Secure; " } else { "" };
        let line = format!("{}={value}Path=/; {secure}HttpOnly; SameSite=Lax", self.name(site));
        if let Ok(line) = HeaderValue::from_str(&line) {
            response.headers_mut().append(SET_COOKIE, line);
        }
    }
}
