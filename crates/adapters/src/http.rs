//! The one function that makes HTTP clients, so that every outbound call has time limits: reqwest's default waits for
//! ever, follows redirects to other hosts and uses the environment's proxies.

use std::error::Error;
use std::sync::OnceLock;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::DATE;
use reqwest::{Client, ClientBuilder, Url, redirect};
use rustls::ClientConfig;
use rustls::crypto::CryptoProvider;
use rustls_platform_verifier::ConfigVerifierExt;
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientLimits {
    /// For a connection, TLS included.
    pub connect: Duration,
    /// For the next bytes of an answer.
    pub read: Duration,
    /// For a whole call, from the first byte sent to the last byte received.
    pub total: Duration,
}

#[derive(Debug, Error)]
pub enum ClientError {
    #[error("no TLS provider is installed: install rustls' ring provider before making an HTTP client")]
    NoTlsProvider,
    #[error("cannot read the machine's root certificates")]
    Roots(#[source] rustls::Error),
    #[error("cannot make an HTTP client: check the user agent")]
    Build(#[source] reqwest::Error),
}

/// A client that follows no redirect, uses no proxy and waits no longer than `limits`.
///
/// # Errors
/// [`ClientError`].
pub fn client(user_agent: &str, limits: ClientLimits) -> Result<Client, ClientError> {
    builder(user_agent, limits)?.build().map_err(ClientError::Build)
}

/// [`client`], for further settings.
#[expect(clippy::disallowed_methods, reason = "this is the function that everything else is told to use")]
pub(crate) fn builder(user_agent: &str, limits: ClientLimits) -> Result<ClientBuilder, ClientError> {
    // reqwest would panic.
    if CryptoProvider::get_default().is_none() {
        return Err(ClientError::NoTlsProvider);
    }
    Ok(Client::builder()
        .tls_backend_preconfigured(tls()?)
        .user_agent(user_agent)
        .redirect(redirect::Policy::none())
        .no_proxy()
        .connect_timeout(limits.connect)
        .read_timeout(limits.read)
        .timeout(limits.total))
}

/// Trusts the machine's root certificates. All clients of the process share one reading of them.
fn tls() -> Result<ClientConfig, ClientError> {
    static TLS: OnceLock<ClientConfig> = OnceLock::new();
    if let Some(tls) = TLS.get() {
        return Ok(tls.clone());
    }
    let mut tls = ClientConfig::with_platform_verifier().map_err(ClientError::Roots)?;
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TLS.get_or_init(|| tls).clone())
}

/// Requests the headers of `/` from an address's host, without credentials. Any status proves that it is reachable.
/// Returns the host's time.
///
/// # Errors
/// The reason, without the address, which may have a secret.
pub async fn reach(client: &Client, address: &str) -> Result<Option<Timestamp>, Box<dyn Error + Send + Sync>> {
    let mut url = Url::parse(address)?;
    url.set_path("/");
    url.set_query(None);
    let answer = client.head(url).send().await.map_err(reqwest::Error::without_url)?;
    let date = answer.headers().get(DATE).and_then(|date| date.to_str().ok());
    Ok(date.and_then(|date| Timestamp::try_from(httpdate::parse_http_date(date).ok()?).ok()))
}
