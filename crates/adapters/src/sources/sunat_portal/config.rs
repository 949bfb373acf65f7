//! The operator's settings for the page.

use std::time::Duration;

use reqwest::Url;
use thiserror::Error;

use super::pace;

/// The page's full POST address.
pub const OFFICIAL_URL: &str = "https://e-consultaruc.sunat.gob.pe/cl-ti-itmrconsruc/jcrS00Alias";
/// Kuraka's own name: the firewall refuses a browser's name without a browser's other headers.
pub const USER_AGENT: &str = concat!("kuraka/", env!("CARGO_PKG_VERSION"));
/// The page answers about one request a second per address, and bans faster clients for minutes.
pub const MIN_INTERVAL: Duration = Duration::from_millis(1_100);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub(super) url: Url,
    pub(super) user_agent: String,
    pub(super) min_interval: Duration,
    pub(super) refused_pause: Duration,
}

#[derive(Debug, Error)]
#[error("the page's address {0:?} is no http or https address: give the full address of the POST")]
pub struct ConfigError(pub String);

impl Config {
    /// `user_agent` is printable ASCII.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn new(url: &str, user_agent: &str, min_interval: Duration) -> Result<Self, ConfigError> {
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let url = parsed.ok_or_else(|| ConfigError(url.to_owned()))?;
        Ok(Self { url, user_agent: user_agent.to_owned(), min_interval, refused_pause: pace::PAUSE })
    }

    /// The same page, queried again at once after a refusal: for a simulated one, which refuses for a test.
    #[must_use]
    pub fn without_pause(self) -> Self {
        Self { refused_pause: Duration::ZERO, ..self }
    }

    pub fn address(&self) -> &str {
        self.url.as_str()
    }
}
