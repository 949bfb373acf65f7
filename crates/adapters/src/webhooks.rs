//! Sends deliveries to webhooks. The addresses are callers', so nothing is sent to an address that is not public, unless the
//! settings allow its network.
//!
//! An address is checked where the connection is made: a resolver drops the addresses of a name that are not allowed, so a
//! name that changes between a check and the connection gains nothing. reqwest does not ask the resolver for IP literals,
//! which are checked before each request. Redirects are not followed, and no proxy is used.

mod networks;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_ports::{AttemptResult, Clock, NoAnswer, WebhookRequest, WebhookSender, WebhookUrlError};
use reqwest::dns::Resolve;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response, Url};

use self::networks::{GuardedResolver, literal};
pub use self::networks::{Networks, SystemResolver};
use crate::http::{self, ClientError, ClientLimits};
use crate::sources::retry_after;

/// How long an attempt may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of an answer that are read.
const READ: usize = 1_024;
/// The longest address, in characters.
const MAX_URL_CHARS: usize = 2_048;

/// A sender over HTTPS that connects only to allowed addresses.
pub struct GuardedSender {
    networks: Networks,
    /// For https on a public port: connects to public addresses and to addresses of the allowed networks.
    public: Client,
    /// For http and other ports: connects only to addresses of the allowed networks.
    inner: Client,
    clock: Arc<dyn Clock>,
}

impl GuardedSender {
    /// A sender that looks up names with `resolver`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn new(networks: Networks, resolver: Arc<dyn Resolve>, clock: Arc<dyn Clock>) -> Result<Self, ClientError> {
        let limits = ClientLimits { connect: TIMEOUT, read: TIMEOUT, total: TIMEOUT };
        let client = |public| {
            let guarded = GuardedResolver { networks: networks.clone(), public, resolver: Arc::clone(&resolver) };
            let user_agent = concat!("kuraka/", env!("CARGO_PKG_VERSION"));
            // A kept connection would go to the address that was allowed once.
            let builder = http::builder(user_agent, limits)?.pool_max_idle_per_host(0).dns_resolver(Arc::new(guarded));
            builder.build().map_err(ClientError::Build)
        };
        Ok(Self { public: client(true)?, inner: client(false)?, networks, clock })
    }

    /// The address and the client that may connect to it.
    fn target(&self, url: &str) -> Result<(Url, &Client), WebhookUrlError> {
        if url.chars().count() > MAX_URL_CHARS {
            return Err(WebhookUrlError::NotAUrl);
        }
        let url = Url::parse(url).map_err(|_| WebhookUrlError::NotAUrl)?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(WebhookUrlError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(WebhookUrlError::User);
        }
        let is_public = url.scheme() == "https" && matches!(url.port(), None | Some(443 | 8443));
        if !is_public && self.networks.is_empty() {
            return Err(WebhookUrlError::Scheme);
        }
        if literal(&url).is_some_and(|address| !self.networks.permit(address, is_public)) {
            return Err(if is_public { WebhookUrlError::NotPublic } else { WebhookUrlError::Scheme });
        }
        Ok((url, if is_public { &self.public } else { &self.inner }))
    }
}

#[async_trait]
impl WebhookSender for GuardedSender {
    fn check(&self, url: &str) -> Result<(), WebhookUrlError> {
        self.target(url).map(drop)
    }

    async fn send(&self, request: &WebhookRequest) -> (AttemptResult, Option<Duration>) {
        let Ok((url, client)) = self.target(&request.url) else {
            return (AttemptResult::NoAnswer(NoAnswer::Address), None);
        };
        let sent = client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", &request.message)
            .header("webhook-timestamp", request.timestamp)
            .header("webhook-signature", &request.signature)
            .body(request.body.clone())
            .send()
            .await;
        let response = match sent {
            Ok(response) => response,
            Err(error) => return (AttemptResult::NoAnswer(reason(&error)), None),
        };
        let wait = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let wait = wait.and_then(|value| retry_after::read(value, self.clock.now()));
        let status = response.status().as_u16();
        (AttemptResult::Answered { status, text: beginning(response).await }, wait)
    }
}

fn reason(error: &reqwest::Error) -> NoAnswer {
    let mut causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    if causes.any(|cause| cause.is::<networks::AddressNotAllowedError>()) {
        NoAnswer::Address
    } else if error.is_timeout() {
        NoAnswer::Timeout
    } else {
        NoAnswer::Connection
    }
}

/// The beginning of an answer, as far as it can be read. The receiver has taken the delivery by its status.
async fn beginning(mut response: Response) -> String {
    let mut read = Vec::new();
    while read.len() < READ
        && let Ok(Some(chunk)) = response.chunk().await
    {
        read.extend_from_slice(&chunk);
    }
    read.truncate(READ);
    let text = String::from_utf8_lossy(&read);
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}
