//! `[request]`: method, address, headers, body, and where the token goes.

use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::file::{self, Fault, Located, at};
use crate::sources::provider_api::request::{Template, TokenPlace, check_url};

const BODY_OF_GET: &str = "a GET has no body: use POST, or put the values in the address";
const NO_RUC: &str = "the request does not contain the RUC: write {ruc} in the address or in the body";

pub(super) fn template(section: &file::Request) -> Result<Template, Fault> {
    let method = match section.method.get_ref().as_str() {
        "GET" => Method::GET,
        "POST" => Method::POST,
        other => return Err(at(&section.method, format!("the method {other:?} is not one of GET and POST"))),
    };
    let url = section.url.get_ref();
    check_url(url).map_err(|why| at(&section.url, format!("the address {url:?} {why}")))?;
    if let (&Method::GET, Some(body)) = (&method, &section.body) {
        return Err(at(body, BODY_OF_GET));
    }
    let token = section.token.as_ref().map(token).transpose()?;
    if let (&Method::GET, Some(TokenPlace::Body(_)), Some(token)) = (&method, &token, &section.token) {
        return Err(at(&token.r#in, BODY_OF_GET));
    }
    let body = section.body.as_ref().map(|body| body.get_ref().clone()).unwrap_or_default();
    let template = Template { method, url: url.clone(), headers: headers(section)?, body, token };
    if template.names_the_ruc() { Ok(template) } else { Err(at(&section.url, NO_RUC)) }
}

pub(super) fn token(section: &file::Token) -> Result<TokenPlace, Fault> {
    let name = section.name.get_ref();
    let place = match section.r#in.get_ref().as_str() {
        "header" => {
            let prefix = section.prefix.as_ref().map(|prefix| prefix.get_ref().clone()).unwrap_or_default();
            return Ok(TokenPlace::Header { name: header_name(&section.name)?, prefix });
        }
        "query" => TokenPlace::Query(name.clone()),
        "body" => TokenPlace::Body(name.clone()),
        other => {
            let what = format!("the token goes in \"header\", \"query\" or \"body\", not in {other:?}");
            return Err(at(&section.r#in, what));
        }
    };
    match &section.prefix {
        Some(prefix) => Err(at(prefix, "only a token in a header has a prefix")),
        None => Ok(place),
    }
}

fn headers(section: &file::Request) -> Result<HeaderMap, Fault> {
    let header = |(name, value): (&Located<String>, &Located<String>)| {
        Ok((header_name(name)?, HeaderValue::from_str(value.get_ref()).map_err(|_| not_allowed(value, name))?))
    };
    section.headers.iter().map(header).collect()
}

fn header_name(name: &Located<String>) -> Result<HeaderName, Fault> {
    HeaderName::from_bytes(name.get_ref().as_bytes()).map_err(|_| not_allowed(name, name))
}

fn not_allowed(place: &Located<String>, name: &Located<String>) -> Fault {
    at(place, format!("the header {:?} is not one that HTTP allows", name.get_ref()))
}
