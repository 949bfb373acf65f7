//! The panel's three cookies: the session, the secret of a form without a session, and the proof that the browser has
//! logged in before.
//!
//! Over https all are `Secure` and have a `__Host-` name, which no other host and no plain connection can set. Browsers
//! refuse such cookies over plain http, so they have ordinary names there.

use actix_web::http::header::{COOKIE, HeaderValue, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse};

use crate::site::Site;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// Holds the secret of the session.
    Session,
    /// Holds the secret behind the tokens of forms without a session.
    Form,
    /// Holds the proof that this browser has logged in. It survives the log-out and the end of the session.
    Device,
}

/// A browser is known for a year after its latest log-in, in seconds.
const DEVICE_LIFE: u32 = 31_536_000;

impl Cookie {
    fn name(self, site: &Site) -> &'static str {
        match (self, site.is_secure()) {
            (Self::Session, true) => "__Host-kuraka",
            (Self::Session, false) => "kuraka",
            (Self::Form, true) => "__Host-kuraka-form",
            (Self::Form, false) => "kuraka-form",
            (Self::Device, true) => "__Host-kuraka-device",
            (Self::Device, false) => "kuraka-device",
        }
    }

    pub(crate) fn read<'a>(self, request: &'a HttpRequest, site: &Site) -> Option<&'a str> {
        let headers = request.headers().get_all(COOKIE).filter_map(|value| value.to_str().ok());
        let mut pairs = headers.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let name = self.name(site);
        pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Sets the cookie. The device cookie lasts a year, the others end with the browser session. `value` is ASCII
    /// letters and digits.
    pub(crate) fn set(self, site: &Site, value: &str, response: &mut HttpResponse) {
        let life = match self {
            Self::Session | Self::Form => String::new(),
            Self::Device => format!("Max-Age={DEVICE_LIFE}; "),
        };
        self.write(site, &format!("{value}; {life}"), response);
    }

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
