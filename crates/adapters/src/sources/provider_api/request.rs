//! Builds the request from the file's template, a RUC and a token. Pure.

use std::collections::BTreeMap;

use kuraka_domain::Ruc;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Request, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};

use super::error::ProviderError;

/// The placeholder of the RUC in an address or a body.
pub(super) const RUC: &str = "{ruc}";

/// A number in place of the RUC while an address is checked.
const ANY: &str = "00000000000";

#[derive(Clone, Debug)]
pub(super) struct Template {
    pub(super) method: Method,
    pub(super) url: String,
    pub(super) headers: HeaderMap,
    /// Sent as a JSON object, unless it is empty.
    pub(super) body: BTreeMap<String, String>,
    pub(super) token: Option<TokenPlace>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenPlace {
    Header { name: HeaderName, prefix: String },
    Query(String),
    Body(String),
}

/// The error completes the sentence "the address …".
pub(super) fn check_url(url: &str) -> Result<(), &'static str> {
    if url.replace(RUC, "").contains(['{', '}']) {
        return Err("has braces around something else than {ruc}; the token has a place of its own");
    }
    let parsed = Url::parse(&url.replace(RUC, ANY)).map_err(|_| "is not a whole address such as https://host/path")?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err("is neither http nor https");
    }
    if parsed.username() != "" || parsed.password().is_some() {
        return Err("has a user or a password: use a token");
    }
    if url.contains(RUC) && parsed.host_str().is_some_and(|host| host.contains(ANY)) {
        return Err("has {ruc} in the host: write it in the path or the query");
    }
    Ok(())
}

impl Template {
    /// Checks that every request to `provider` can be built with this token, and with `url`, if given, in place of the
    /// file's address.
    pub(super) fn make_ready(
        &mut self,
        provider: &str,
        url: Option<String>,
        token: Option<&SecretString>,
    ) -> Result<(), ProviderError> {
        let refused = |why| ProviderError::Address { provider: provider.into(), why };
        if let Some(url) = url {
            check_url(&url).map_err(refused)?;
            self.url = url;
        }
        if !self.names_the_ruc() {
            return Err(refused("has no {ruc} in it, and neither has the body"));
        }
        match (&self.token, token) {
            (Some(_), None) => Err(ProviderError::NoToken(provider.into())),
            (Some(TokenPlace::Header { prefix, .. }), Some(token)) => header(provider, prefix, token).map(drop),
            (Some(TokenPlace::Query(_) | TokenPlace::Body(_)), Some(_)) | (None, _) => Ok(()),
        }
    }

    pub(super) fn names_the_ruc(&self) -> bool {
        self.url.contains(RUC) || self.body.values().any(|value| value.contains(RUC))
    }

    /// The request to `provider` about one taxpayer. It may hold the token and must not be printed.
    pub(super) fn request(
        &self,
        provider: &str,
        ruc: Ruc,
        token: Option<&SecretString>,
    ) -> Result<Request, ProviderError> {
        let ruc = ruc.to_string();
        let unreadable = |_| ProviderError::Address { provider: provider.into(), why: "cannot be read" };
        let mut url = Url::parse(&self.url.replace(RUC, &ruc)).map_err(unreadable)?;
        let mut headers = self.headers.clone();
        headers.entry(ACCEPT).or_insert(HeaderValue::from_static("application/json"));
        // An uncompressed answer cannot grow on arrival.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let text = |value: &String| Value::from(value.replace(RUC, &ruc));
        let mut body: Map<_, _> = self.body.iter().map(|(name, value)| (name.clone(), text(value))).collect();
        if let Some(place) = &self.token {
            let token = token.ok_or_else(|| ProviderError::NoToken(provider.into()))?;
            match place {
                TokenPlace::Header { name, prefix } => drop(headers.insert(name, header(provider, prefix, token)?)),
                TokenPlace::Query(name) => drop(url.query_pairs_mut().append_pair(name, token.expose_secret())),
                TokenPlace::Body(name) => drop(body.insert(name.clone(), token.expose_secret().into())),
            }
        }
        let mut request = Request::new(self.method.clone(), url);
        if !body.is_empty() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            *request.body_mut() = Some(Value::from(body).to_string().into());
        }
        *request.headers_mut() = headers;
        Ok(request)
    }
}

/// Marked as sensitive so that it is not printed.
fn header(provider: &str, prefix: &str, token: &SecretString) -> Result<HeaderValue, ProviderError> {
    let text = format!("{prefix}{}", token.expose_secret());
    let mut value = HeaderValue::from_str(&text).map_err(|_| ProviderError::Token(provider.into()))?;
    value.set_sensitive(true);
    Ok(value)
}
