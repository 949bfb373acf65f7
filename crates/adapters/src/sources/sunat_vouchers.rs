//! SUNAT's service that validates vouchers ("Consulta Integrada"): one POST for each voucher, occasionally one for a
//! token.
//!
//! Several sets of credentials are used in turn. A refused set is paused, and the call continues with the next. An
//! answer does not name its voucher: only the exchange connects the two.

mod config;
mod error;
mod parse;
mod request;
mod session;

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt;
use kuraka_domain::Voucher;
use kuraka_ports::{Clock, SourceError, VoucherAnswer, VoucherValidator, chain};
use parking_lot::Mutex;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{RequestBuilder, Response, Url};
use secrecy::ExposeSecret;
use tokio::runtime::Handle;

pub use self::config::{API_URL, Config, ConfigError, Credentials, TOKEN_URL};
use self::error::{AnswerError, Side};
pub use self::parse::Statement;
use self::session::{Bearer, Tokens};
use super::{Explanation, wire};

const NAME: &str = "sunat_vouchers";
/// Within a call's deadline.
const TOKEN_TIME: Duration = Duration::from_secs(3);
/// Before a refused connection is tried once more: a restarting service listens again.
const RETRY_PAUSE: Duration = Duration::from_millis(100);
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");
/// An uncompressed answer cannot grow on arrival.
const AS_IT_IS: HeaderValue = HeaderValue::from_static("identity");

pub struct SunatVouchers {
    clients: Vec<Client>,
    /// Zero = a refusal is one of a test.
    refused_pause: Duration,
    /// The number of the set with which the next call starts.
    turn: AtomicUsize,
    http: reqwest::Client,
    clock: Arc<dyn Clock>,
}

struct Client {
    api_url: Url,
    tokens: Tokens,
    /// No call uses the set before this monotonic time.
    paused_until: Mutex<Duration>,
}

impl SunatVouchers {
    /// `http` must not follow redirects, and sets the time limits. Requests for tokens run on `runtime`.
    pub fn new(config: Config, http: reqwest::Client, clock: Arc<dyn Clock>, runtime: Handle) -> Self {
        let client = |config: config::Client| {
            let (api_url, http, time) = (config.api_url.clone(), http.clone(), Arc::clone(&clock));
            let ask = move || ask_for_token(config.clone(), http.clone(), Arc::clone(&time)).boxed();
            let tokens = Tokens::new(Box::new(ask), Arc::clone(&clock), runtime.clone());
            Client { api_url, tokens, paused_until: Mutex::default() }
        };
        let clients = config.clients.into_iter().map(client).collect();
        Self { clients, refused_pause: config.refused_pause, turn: AtomicUsize::new(0), http, clock }
    }

    /// Requests a token with each set of credentials, in the settings' order.
    pub async fn check_credentials(&self) -> Vec<Result<(), SourceError>> {
        let tokens = self.clients.iter().map(async |client| client.tokens.current().await.map(drop).map_err(error));
        futures_util::future::join_all(tokens).await
    }

    /// Validates a voucher with one set of credentials. If the token is refused, retries once with a new one.
    async fn ask(&self, client: &Client, voucher: &Voucher) -> Result<VoucherAnswer, Arc<AnswerError>> {
        let bearer = client.tokens.current().await?;
        match self.exchange(client, &bearer, voucher).await {
            Err(AnswerError::Credentials { side: Side::Api, status: 401 }) => {
                let bearer = client.tokens.after(&bearer).await?;
                self.exchange(client, &bearer, voucher).await.map_err(Arc::new)
            }
            answer => answer.map_err(Arc::new),
        }
    }

    async fn exchange(
        &self,
        client: &Client,
        bearer: &Bearer,
        voucher: &Voucher,
    ) -> Result<VoucherAnswer, AnswerError> {
        let body = request::body(voucher);
        let request = || {
            let request = self.http.post(client.api_url.clone()).header(CONTENT_TYPE, JSON);
            request.header(AUTHORIZATION, bearer.header.clone()).body(body.clone())
        };
        let response = send(Side::Api, request).await?;
        let freshness = wire::freshness(&response);
        let (status, retry_after) = (response.status().as_u16(), wire::retry_after(&response, &*self.clock));
        let body = wire::body(response).await.map_err(|source| AnswerError::Body { side: Side::Api, source })?;
        Ok(VoucherAnswer { validation: parse::parse(status, &body, retry_after)?.about(voucher), freshness })
    }

    /// All sets, the next one in turn first.
    fn in_turn(&self) -> impl Iterator<Item = (usize, &Client)> {
        let first = self.turn.fetch_add(1, Ordering::Relaxed) % self.clients.len().max(1);
        self.clients.iter().enumerate().cycle().skip(first).take(self.clients.len())
    }
}

#[deny(clippy::missing_trait_methods, reason = "a default would not be this service's")]
#[async_trait]
impl VoucherValidator for SunatVouchers {
    fn name(&self) -> &str {
        NAME
    }

    /// Dropping the future closes the connection; a request for a token continues, for the next call.
    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        let mut refused = Arc::new(AnswerError::Resting);
        for (index, client) in self.in_turn().filter(|(_, client)| !client.is_paused(self.clock.monotonic())) {
            match self.ask(client, &voucher).await {
                Ok(answer) => return Ok(answer),
                Err(failure) if matches!(*failure, AnswerError::Credentials { .. }) => {
                    let pause = self.refused_pause;
                    if !pause.is_zero() && client.pause(self.clock.monotonic(), pause) {
                        let set = index + 1;
                        tracing::error!(set, cause = %failure, "voucher credentials refused, next attempt in 5 min");
                    }
                    refused = failure;
                }
                Err(failure) => return Err(error(failure)),
            }
        }
        Err(error(refused))
    }
}

impl Client {
    fn is_paused(&self, now: Duration) -> bool {
        now < *self.paused_until.lock()
    }

    /// `false` = the set was paused already.
    fn pause(&self, now: Duration, pause: Duration) -> bool {
        let mut until = self.paused_until.lock();
        let was_paused = now < *until;
        *until = now + pause;
        !was_paused
    }
}

async fn ask_for_token(
    client: config::Client,
    http: reqwest::Client,
    clock: Arc<dyn Clock>,
) -> Result<parse::Granted, AnswerError> {
    let side = Side::TokenEndpoint;
    let body = request::token_body(&client);
    let request = || {
        let request = http.post(client.token_url.clone()).timeout(TOKEN_TIME).header(CONTENT_TYPE, FORM);
        request.body(body.expose_secret().to_owned())
    };
    let response = send(side, request).await?;
    let (status, retry_after) = (response.status().as_u16(), wire::retry_after(&response, &*clock));
    let body = wire::body(response).await.map_err(|source| AnswerError::Body { side, source })?;
    parse::parse_token(status, &body, retry_after)
}

/// Reads a saved answer as the source does, and explains the result to operators.
pub fn explain(body: &[u8], status: u16) -> Explanation<Statement> {
    let explained = |error: AnswerError| {
        let reason = error.reason().map_or_else(|| chain(&error), |reason| format!("{error}: {reason}"));
        (error.kind(), reason)
    };
    let read = parse::parse(status, body, None).map(Some).map_err(explained);
    Explanation::new(read, "the answer says that it succeeded and has a status of the voucher", "")
}

/// Retries once if the connection is refused, because the service has read nothing then.
async fn send(side: Side, request: impl Fn() -> RequestBuilder) -> Result<Response, AnswerError> {
    let send = || request().header(ACCEPT, JSON).header(ACCEPT_ENCODING, AS_IT_IS).send();
    let sent = match send().await {
        Err(error) if is_refused(&error) => {
            tokio::time::sleep(RETRY_PAUSE).await;
            send().await
        }
        sent => sent,
    };
    sent.map_err(|error| AnswerError::Transport { side, source: error.without_url() })
}

fn is_refused(error: &reqwest::Error) -> bool {
    let mut cause = error.source();
    while let Some(error) = cause {
        let io = error.downcast_ref::<io::Error>();
        if io.is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) {
            return true;
        }
        cause = error.source();
    }
    false
}

fn error(failure: Arc<AnswerError>) -> SourceError {
    let error = SourceError::new(NAME, failure.kind());
    SourceError { reason: failure.reason().map(Into::into), ..error }.with_cause(failure)
}
