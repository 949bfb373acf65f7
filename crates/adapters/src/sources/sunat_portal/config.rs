//! The operator's settings for the page: its address, our User-Agent, and the interval between requests.

use std::time::Duration;

use reqwest::Url;
use thiserror::Error;

/// The page's address, as the full address of the POST.
pub const OFFICIAL_URL: &str = "https://e-consultaruc.sunat.gob.pe/cl-ti-itmrconsruc/jcrS00Alias";
/// Kuraka's own name: the firewall refuses a browser's name without a browser's other headers.
pub const USER_AGENT: &str = concat!("kuraka/", env!("CARGO_PKG_VERSION"));
/// The page answers about one request a second for each client address, and bans faster clients for minutes.
pub const MIN_INTERVAL: Duration = Duration::from_millis(1_100);
/// The longest interval accepted; a longer one is probably given in the wrong unit.
const LONGEST_INTERVAL: Duration = Duration::from_secs(60);

/// Checked settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub(super) url: Url,
    pub(super) user_agent: String,
    pub(super) min_interval: Duration,
}

/// Why settings are refused.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The address is no http or https address.
    #[error("the page's address {url:?} is no http or https address: give the full address of the POST")]
    Url {
        /// As given in the settings.
        url: String,
    },
    /// The User-Agent cannot be sent in a header.
    #[error("the User-Agent is empty or has characters that a header cannot have: use printable ASCII")]
    UserAgent,
    /// The interval is too long.
    #[error("the interval between requests is {} ms: 0 to 60000 are accepted", .0.as_millis())]
    MinInterval(Duration),
}

impl Config {
    /// Checks the settings.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn new(url: &str, user_agent: &str, min_interval: Duration) -> Result<Self, ConfigError> {
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let url = parsed.ok_or_else(|| ConfigError::Url { url: url.to_owned() })?;
        if user_agent.trim().is_empty() || !user_agent.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(ConfigError::UserAgent);
        }
        if min_interval > LONGEST_INTERVAL {
            return Err(ConfigError::MinInterval(min_interval));
        }
        Ok(Self { url, user_agent: user_agent.to_owned(), min_interval })
    }

    /// The address of the page.
    #[must_use]
    pub fn address(&self) -> &str {
        self.url.as_str()
    }
}
