//! SUNAT's public page about one taxpayer (consulta RUC): one POST, one page of HTML.
//!
//! A record is accepted only if the page is complete and holds exactly one result, about the requested RUC; an absence
//! only in the one known sentence. Everything else is an error. `pace` is the queue, `label` names the page's rows,
//! `shape` and `words` detect damaged pages.

mod config;
mod error;
mod label;
mod map;
pub mod pace;
mod parse;
mod request;
mod shape;
mod words;

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use kuraka_domain::{Ruc, TaxpayerDetail};
use kuraka_ports::{Clock, DetailAnswer, DetailOrigin, SourceError, SourceErrorKind, TaxpayerSource};
use reqwest::header::{ACCEPT_ENCODING, CONTENT_TYPE, USER_AGENT as USER_AGENT_HEADER};
use reqwest::{Client, Response, StatusCode};

pub use self::config::{Config, ConfigError, MIN_INTERVAL, OFFICIAL_URL, USER_AGENT};
pub use self::error::{AnswerError, UnreadablePageError};
pub use self::label::Label;
use self::pace::Pace;
use self::parse::Page;
use super::{Explanation, wire};

const NAME: &str = "official";

pub struct SunatPortal {
    config: Config,
    client: Client,
    clock: Arc<dyn Clock>,
    pace: Pace,
}

impl SunatPortal {
    /// `client` must neither follow redirects nor keep cookies, so that the page cannot connect two exchanges, and sets
    /// the time limits.
    pub fn new(config: Config, client: Client, clock: Arc<dyn Clock>) -> Self {
        let pace = Pace::new(config.min_interval);
        Self { config, client, clock, pace }
    }

    async fn send(&self, ruc: Ruc) -> Result<Response, SourceError> {
        let mut random = [0; request::TOKEN_LENGTH];
        getrandom::fill(&mut random).map_err(|error| failure(SourceErrorKind::Unavailable, error.to_string()))?;
        self.client
            .post(self.config.url.clone())
            .header(USER_AGENT_HEADER, &self.config.user_agent)
            .header(CONTENT_TYPE, request::CONTENT_TYPE)
            // An uncompressed body cannot be a bomb.
            .header(ACCEPT_ENCODING, "identity")
            .body(request::body(ruc, &random))
            .send()
            .await
            .map_err(|error| failure(SourceErrorKind::Unavailable, error.without_url()))
    }

    async fn exchange(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let response = self.send(ruc).await?;
        if response.status() != StatusCode::OK {
            let (status, retry_after) = (response.status().as_u16(), wire::retry_after(&response, &*self.clock));
            let refused = AnswerError::Status { status, retry_after };
            return Err(failure(refused.kind(), refused));
        }
        let freshness = wire::freshness(&response);
        let content_type = response.headers().get(CONTENT_TYPE).cloned();
        let body = wire::body(response).await.map_err(|error| failure(error.kind(), error))?;
        let content_type = content_type.as_ref().and_then(|value| value.to_str().ok());
        let record = read(&body, content_type, ruc).map_err(|error| failure(error.kind(), error))?;
        record.as_ref().inspect(|record| log_unlisted(record));
        Ok(DetailAnswer { taxpayer: record.map(Arc::new), origin: DetailOrigin::Official, freshness })
    }
}

#[deny(clippy::missing_trait_methods, reason = "a default would not be this page's")]
#[async_trait]
impl TaxpayerSource for SunatPortal {
    fn name(&self) -> &str {
        NAME
    }

    /// Dropping the future gives the turn back, or closes the connection.
    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        self.pace.turn().await.map_err(|no_turn| failure(SourceErrorKind::HeldBack, no_turn))?;
        let answer = self.exchange(ruc).await;
        if answer.as_ref().is_err_and(|error| error.kind == SourceErrorKind::Refused) {
            self.pace.pause(self.config.refused_pause);
        }
        answer
    }
}

/// Reads a body with status 200; `None` = there is no such RUC.
///
/// # Errors
/// [`AnswerError`]: neither a complete record of `ruc` nor the known sentence about it.
pub fn read(body: &[u8], content_type: Option<&str>, ruc: Ruc) -> Result<Option<TaxpayerDetail>, AnswerError> {
    match parse::parse(body, content_type)? {
        Page::Record(raw) => Ok(Some(map::map(&raw, ruc)?)),
        Page::NotFound { ruc: named } if named == ruc.to_string() => Ok(None),
        Page::NotFound { .. } => Err(UnreadablePageError::OtherRuc.into()),
    }
}

/// Reads a body with [`read`] and explains the result to operators.
pub fn explain(body: &[u8], content_type: Option<&str>, ruc: Ruc) -> Explanation<TaxpayerDetail> {
    Explanation::new(
        read(body, content_type, ruc).map_err(|error| (error.kind(), error.to_string())),
        "the page is whole and holds one result, which is about this RUC",
        "the page is whole and says that this RUC is not valid",
    )
}

/// Unknown words are passed on and logged, so that they can be added.
fn log_unlisted(record: &TaxpayerDetail) {
    if !record.status.is_known() || !record.condition.is_known() {
        tracing::info!(status = %record.status, condition = %record.condition, "the page uses an unlisted word");
    }
}

fn failure(kind: SourceErrorKind, cause: impl Into<Box<dyn Error + Send + Sync>>) -> SourceError {
    SourceError::new(NAME, kind).with_cause(cause)
}
