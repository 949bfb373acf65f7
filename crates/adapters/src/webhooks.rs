//! Sends deliveries to webhooks. The addresses are callers', so nothing is sent to a non-public one, unless the
//! operator created the webhook and the settings allow its network.
//!
//! The address is checked where the connection is made: a resolver drops a name's forbidden addresses, so a name that
//! changes gains nothing. IP literals, for which reqwest does not ask the resolver, are checked before each request. No
//! redirects, no proxy.

mod networks;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_ports::{AttemptResult, Clock, NoAnswer, WebhookRequest, WebhookSender, WebhookUrlError};
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response, Url};

use self::networks::{GuardedResolver, literal};
pub use self::networks::{MachineNetwork, Networks, SystemResolver};
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
    /// Allowed for owners' webhooks: the public network.
    public: Networks,
    /// Allowed for the operator's: also the allowed networks.
    allowed: Networks,
    /// For owners' webhooks.
    owners: Client,
    /// For the operator's, with https on a public port.
    operators: Client,
    /// For the operator's with http or another port: connects only to the allowed networks.
    inner: Client,
    machine: Arc<dyn MachineNetwork>,
    clock: Arc<dyn Clock>,
}

impl GuardedSender {
    /// # Errors
    /// [`ClientError`].
    pub fn new(
        allowed: Networks,
        machine: Arc<dyn MachineNetwork>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ClientError> {
        let limits = ClientLimits { connect: TIMEOUT, read: TIMEOUT, total: TIMEOUT };
        let public = Networks::with(&[]);
        let client = |networks: &Networks, public| {
            let guarded = GuardedResolver { networks: networks.clone(), public, machine: Arc::clone(&machine) };
            let user_agent = concat!("kuraka/", env!("CARGO_PKG_VERSION"));
            // A kept connection would go to an address that was allowed once.
            let builder = http::builder(user_agent, limits)?.pool_max_idle_per_host(0).dns_resolver(Arc::new(guarded));
            builder.build().map_err(ClientError::Build)
        };
        let (owners, operators, inner) = (client(&public, true)?, client(&allowed, true)?, client(&allowed, false)?);
        Ok(Self { public, allowed, owners, operators, inner, machine, clock })
    }

    /// The address, and the client that may connect to it.
    fn target(&self, url: &str, by_operator: bool) -> Result<(Url, &Client), WebhookUrlError> {
        let url = Url::parse(url).ok().filter(|url| url.as_str().len() <= MAX_URL_CHARS);
        let url = url.ok_or(WebhookUrlError::NotAUrl)?;
        let (networks, client) =
            if by_operator { (&self.allowed, &self.operators) } else { (&self.public, &self.owners) };
        if !matches!(url.scheme(), "https" | "http") {
            return Err(WebhookUrlError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(WebhookUrlError::User);
        }
        let is_public = url.scheme() == "https" && matches!(url.port(), None | Some(443 | 8443));
        if !is_public && networks.is_empty() {
            return Err(WebhookUrlError::Scheme);
        }
        if literal(&url).is_some_and(|address| !networks.permit(&*self.machine, address, is_public)) {
            return Err(if is_public { WebhookUrlError::NotPublic } else { WebhookUrlError::Scheme });
        }
        Ok((url, if is_public { client } else { &self.inner }))
    }
}

#[async_trait]
impl WebhookSender for GuardedSender {
    fn check(&self, url: &str, by_operator: bool) -> Result<String, WebhookUrlError> {
        self.target(url, by_operator).map(|(url, _)| url.into())
    }

    async fn send(&self, request: &WebhookRequest) -> (AttemptResult, Option<Duration>) {
        let Ok((url, client)) = self.target(&request.url, request.by_operator) else {
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

/// The start of an answer, as far as readable.
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
