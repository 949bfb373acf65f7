//! Providers that resell SUNAT's data as JSON over HTTP. A file describes each provider.
//!
//! Their answers are untrusted input: sizes are limited, types are checked, and the RUC is compared with the requested
//! one. An answer that is not understood is an error, never a record and never an absence. The code contains no
//! provider's name: the files in `presets/`, and the operator's files, describe everything that differs between
//! providers.

mod activity;
mod address;
mod config;
mod error;
mod explain;
mod field;
mod map;
mod parse;
mod pointer;
mod preset;
mod raw;
mod request;
mod rule;
mod spec;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{Clock, DetailAnswer, DetailOrigin, SourceError, SourceErrorKind, TaxpayerSource};
use reqwest::header::RETRY_AFTER;
use reqwest::{Client, Response};
use secrecy::SecretString;

pub use self::config::{ConfigError, ConfigFault};
pub use self::error::{ProviderError, Unreadable};
pub use self::explain::{Explanation, explain};
pub use self::field::Field;
pub use self::parse::Failure;
pub use self::preset::{PRESETS, Preset, preset};
pub use self::spec::ProviderSpec;
use super::retry_after;
pub use super::text::TextFault;
use super::wire::{self, BodyError};

/// One provider as a source.
pub struct ProviderApi {
    name: Box<str>,
    spec: ProviderSpec,
    token: Option<SecretString>,
    client: Client,
    clock: Arc<dyn Clock>,
}

impl ProviderApi {
    /// A provider, with its name in logs and metrics and the description from its file.
    ///
    /// `url` replaces the file's whole address. `client` must not follow redirects, and it sets the time limits.
    ///
    /// # Errors
    /// [`ProviderError`]: no request can be sent with this description, token and address.
    pub fn new(
        name: &str,
        mut spec: ProviderSpec,
        token: Option<SecretString>,
        url: Option<String>,
        client: Client,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ProviderError> {
        spec.request.make_ready(url, token.as_ref()).map_err(|why| why.of(name))?;
        Ok(Self { name: name.into(), spec, token, client, clock })
    }

    /// Sends the request and reads the status and headers of the answer.
    async fn ask(&self, ruc: Ruc) -> Result<Response, SourceError> {
        let asked = self.spec.request.ask(ruc, self.token.as_ref());
        let question = asked.map_err(|why| self.error(SourceErrorKind::Unavailable).with_cause(why.of(&self.name)))?;
        let mut request = self.client.request(question.method, question.url).headers(question.headers);
        if let Some(body) = question.body {
            request = request.body(body);
        }
        request.send().await.map_err(|error| self.unavailable(error))
    }

    /// The body, if it is no longer than an answer can be.
    async fn body(&self, response: Response) -> Result<Vec<u8>, SourceError> {
        wire::body(response).await.map_err(|error| match error {
            BodyError::Transport(error) => self.unavailable(error),
            BodyError::TooLong => self.unreadable(Unreadable::TooLong),
            BodyError::Encoded => self.unreadable(Unreadable::Encoded),
        })
    }

    fn error(&self, kind: SourceErrorKind) -> SourceError {
        SourceError::new(self.name.to_string(), kind)
    }

    fn unreadable(&self, why: Unreadable) -> SourceError {
        self.error(SourceErrorKind::Unreadable).with_cause(why)
    }

    /// How long the provider asks clients to wait.
    fn patience(&self, response: &Response) -> Option<Duration> {
        retry_after::read(response.headers().get(RETRY_AFTER)?.to_str().ok()?, self.clock.now())
    }

    /// The URL contains the RUC and may contain the token: neither may be logged.
    fn unavailable(&self, error: reqwest::Error) -> SourceError {
        self.error(SourceErrorKind::Unavailable).with_cause(error.without_url())
    }
}

#[deny(clippy::missing_trait_methods, reason = "a default would not be this provider's")]
#[async_trait]
impl TaxpayerSource for ProviderApi {
    fn name(&self) -> &str {
        &self.name
    }

    /// One request. Dropping the future closes its connection.
    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let response = self.ask(ruc).await?;
        let status = response.status().as_u16();
        let patience = self.patience(&response);
        let failed = |failure: Failure| self.error(failure.kind(patience)).with_cause(failure);
        if let Some(failure) = parse::of_status(status) {
            return Err(failed(failure));
        }
        let freshness = wire::freshness(&response);
        let body = self.body(response).await?;
        let taxpayer = parse::read(&self.spec, status, &body, ruc).map_err(failed)?.map(Arc::new);
        Ok(DetailAnswer { taxpayer, origin: DetailOrigin::Provider, freshness })
    }
}

impl std::fmt::Debug for ProviderApi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProviderApi").field("name", &self.name).finish_non_exhaustive()
    }
}
