//! The file's `[request]`: method, address, headers, body, and where the token goes.

use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::fault::{ConfigFault, Fault, at};
use super::file::{self, Located};
use crate::sources::provider_api::request::{Template, TokenPlace, check_url};

/// Builds the template of the requests.
pub(super) fn template(section: &file::Request) -> Result<Template, Fault> {
    let method = match section.method.get_ref().as_str() {
        "GET" => Method::GET,
        "POST" => Method::POST,
        other => return Err(at(&section.method, ConfigFault::Method(other.into()))),
    };
    let url = section.url.get_ref();
    check_url(url).map_err(|why| at(&section.url, ConfigFault::Url { url: url.as_str().into(), why }))?;
    if let (&Method::GET, Some(body)) = (&method, &section.body) {
        return Err(at(body, ConfigFault::BodyOfGet));
    }
    let token = section.token.as_ref().map(token).transpose()?;
    if let (&Method::GET, Some(TokenPlace::Body(_)), Some(token)) = (&method, &token, &section.token) {
        return Err(at(&token.r#in, ConfigFault::BodyOfGet));
    }
    let body = section.body.as_ref().map(|body| body.get_ref().clone()).unwrap_or_default();
    let template = Template { method, url: url.clone(), headers: headers(section)?, body, token };
    if template.names_the_ruc() { Ok(template) } else { Err(at(&section.url, ConfigFault::NoRuc)) }
}

fn token(section: &file::Token) -> Result<TokenPlace, Fault> {
    let name = section.name.get_ref();
    let place = match section.r#in.get_ref().as_str() {
        "header" => {
            let prefix = section.prefix.as_ref().map(|prefix| prefix.get_ref().clone()).unwrap_or_default();
            return Ok(TokenPlace::Header { name: header_name(&section.name)?, prefix });
        }
        "query" => TokenPlace::Query(name.clone()),
        "body" => TokenPlace::Body(name.clone()),
        other => return Err(at(&section.r#in, ConfigFault::TokenPlace(other.into()))),
    };
    match &section.prefix {
        Some(prefix) => Err(at(prefix, ConfigFault::TokenPrefix)),
        None => Ok(place),
    }
}

fn headers(section: &file::Request) -> Result<HeaderMap, Fault> {
    let header = |(name, value): (&Located<String>, &Located<String>)| {
        let refused = || at(value, ConfigFault::Header(name.get_ref().as_str().into()));
        Ok((header_name(name)?, HeaderValue::from_str(value.get_ref()).map_err(|_| refused())?))
    };
    section.headers.iter().map(header).collect()
}

fn header_name(name: &Located<String>) -> Result<HeaderName, Fault> {
    HeaderName::from_bytes(name.get_ref().as_bytes())
        .map_err(|_| at(name, ConfigFault::Header(name.get_ref().as_str().into())))
}
