//! The panel's cookies: the session, the secret of a form without a session, the proof of a known device, and which
//! changes the latest visit showed. Over https all are `Secure` and named `__Host-…`, which no other host and no plain
//! connection can set; browsers refuse such cookies over plain http.

use actix_web::http::header::{COOKIE, HeaderValue, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse};

use crate::site::Site;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// The session's secret.
    Session,
    /// The secret behind the tokens of forms without a session.
    Form,
    /// The proof that this browser has logged in. Outlives the session.
    Device,
    /// Which changes this browser's owner has seen. Outlives the session.
    Seen,
}

/// In seconds.
const YEAR: u32 = 31_536_000;

impl Cookie {
    fn name(self, site: &Site) -> String {
        let purpose = match self {
            Self::Session => "",
            Self::Form => "-form",
            Self::Device => "-device",
            Self::Seen => "-seen",
        };
        format!("{}kuraka{purpose}", if site.is_secure() { "__Host-" } else { "" })
    }

    pub(crate) fn read<'a>(self, request: &'a HttpRequest, site: &Site) -> Option<&'a str> {
        let headers = request.headers().get_all(COOKIE).filter_map(|value| value.to_str().ok());
        let mut pairs = headers.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let name = self.name(site);
        pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Sets the cookie. `Device` and `Seen` last a year, the others end with the browser session. `value` is ASCII
    /// letters, digits, `.`, `-` and `_`.
    pub(crate) fn set(self, site: &Site, value: &str, response: &mut HttpResponse) {
        let life = match self {
            Self::Session | Self::Form => String::new(),
            Self::Device | Self::Seen => format!("Max-Age={YEAR}; "),
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
