//! Providers that resell SUNAT's data as JSON over HTTP, each described by a file.
//!
//! Their answers are untrusted: sizes are limited, types checked, and the RUC compared with the requested one. An
//! answer that is not understood is an error, never a record or an absence. The code contains no provider's name.

mod config;
mod dialect;
mod error;
mod field;
mod map;
mod parse;
mod preset;
mod request;
mod spec;

use std::error::Error;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use async_trait::async_trait;
use kuraka_domain::{Ruc, TaxpayerDetail};
use kuraka_ports::{Clock, DetailAnswer, DetailOrigin, SourceError, SourceErrorKind, TaxpayerSource};
use reqwest::{Client, Response};
use secrecy::SecretString;

pub use self::config::ConfigError;
pub use self::dialect::{
    AnswerForm, Dialect, DialectAnswer, DialectError, DialectExchangeRate, DialectForm, DialectTaxpayer, MatchedForm,
};
pub use self::error::ProviderError;
pub use self::field::Field;
use self::parse::Answer;
pub use self::preset::{PRESETS, Preset, preset};
pub use self::spec::ProviderSpec;
use super::{Explanation, wire};

pub struct ProviderApi {
    name: Box<str>,
    spec: ProviderSpec,
    token: ArcSwapOption<SecretString>,
    client: Client,
    clock: Arc<dyn Clock>,
}

impl ProviderApi {
    /// `name` is for logs and metrics, `url` replaces the file's whole address. `client` must not follow redirects, and
    /// sets the time limits.
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
        spec.request.make_ready(name, url, token.as_ref())?;
        let token = ArcSwapOption::new(token.map(Arc::new));
        Ok(Self { name: name.into(), spec, token, client, clock })
    }

    /// Uses another token from now on.
    ///
    /// # Errors
    /// [`ProviderError`]: the token cannot be sent; the present one stays.
    pub fn set_token(&self, token: Option<SecretString>) -> Result<(), ProviderError> {
        self.spec.request.clone().make_ready(&self.name, None, token.as_ref())?;
        self.token.store(token.map(Arc::new));
        Ok(())
    }

    /// Returns when status and headers have arrived.
    async fn send(&self, ruc: Ruc) -> Result<Response, SourceError> {
        let request = self.spec.request.request(&self.name, ruc, self.token.load().as_deref());
        let request = request.map_err(|error| self.failure(SourceErrorKind::Unavailable, error))?;
        let sent = self.client.execute(request).await;
        // The URL contains the RUC and perhaps the token, which must not be logged.
        sent.map_err(|error| self.failure(SourceErrorKind::Unavailable, error.without_url()))
    }

    fn failure(&self, kind: SourceErrorKind, cause: impl Into<Box<dyn Error + Send + Sync>>) -> SourceError {
        SourceError::new(self.name.to_string(), kind).with_cause(cause)
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
        let response = self.send(ruc).await?;
        let (status, retry_after) = (response.status().as_u16(), wire::retry_after(&response, &*self.clock));
        parse::check_status(status, retry_after).map_err(|error| self.failure(error.kind(), error))?;
        let freshness = wire::freshness(&response);
        let body = wire::body(response).await.map_err(|error| self.failure(error.kind(), error))?;
        let taxpayer = map::read(&self.spec, Answer { status, retry_after, body: &body, ruc });
        let taxpayer = taxpayer.map_err(|error| self.failure(error.kind(), error))?.map(Arc::new);
        Ok(DetailAnswer { taxpayer, origin: DetailOrigin::Provider, freshness })
    }
}

/// Reads a saved answer as the source does, and explains the result to operators.
pub fn explain(spec: &ProviderSpec, body: &[u8], status: u16, ruc: Ruc) -> Explanation<TaxpayerDetail> {
    let answer = Answer { status, retry_after: None, body, ruc };
    Explanation::new(
        map::read(spec, answer).map_err(|error| (error.kind(), error.to_string())),
        "the answer holds a whole record, which is about this RUC",
        "a rule of the provider's file says that there is no such taxpayer",
    )
}
