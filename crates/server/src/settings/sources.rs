//! Settings of the detail sources: the official page, and the providers as its fallback.

use std::time::Duration;

use kuraka_adapters::sources::sunat_portal::{Config as PortalConfig, ConfigError, USER_AGENT};
use secrecy::SecretString;

use super::{SettingsError, Values};

const INTERVAL: &str = "a number of milliseconds from 0 to 60000";

/// An entry of `providers.chain`.
#[derive(Clone, Debug)]
pub struct Provider {
    /// The entry's text: the name of a preset, or the path of a file.
    pub entry: String,
    /// The name in logs and metrics: that of the preset, or the stem of the file.
    pub name: String,
    /// `providers.<name>.token`, or the content of the file `providers.<name>.token_file`.
    pub token: Option<SecretString>,
    /// `providers.<name>.url`, which replaces the provider's URL.
    pub url: Option<String>,
}

/// `official`; `None` if the page is not a source.
pub(super) fn official(values: &Values) -> Result<Option<PortalConfig>, SettingsError> {
    let url = values.text("official.url")?;
    let millis: u64 = values.parsed("official.min_interval_ms", INTERVAL)?;
    let agent = values.text("official.user_agent")?;
    let agent = if agent.is_empty() { USER_AGENT } else { &agent };
    if url.is_empty() {
        return Ok(None);
    }
    let config = PortalConfig::new(&url, agent, Duration::from_millis(millis));
    config.map(Some).map_err(|error| match error {
        ConfigError::Url { .. } => values.invalid("official.url", "the full http or https address of the page's POST"),
        ConfigError::UserAgent => values.invalid("official.user_agent", "printable ASCII"),
        ConfigError::MinInterval(_) => values.invalid("official.min_interval_ms", INTERVAL),
    })
}

/// `providers.chain`, in order.
pub(super) fn providers(values: &Values) -> Result<Vec<Provider>, SettingsError> {
    values.list("providers.chain")?.into_iter().map(|entry| provider(values, entry)).collect()
}

fn provider(values: &Values, entry: String) -> Result<Provider, SettingsError> {
    let name = name_of(&entry).to_owned();
    // Names of environment variables have no dash.
    let key = |field: &str| {
        let spelt = [name.clone(), name.replace('-', "_")].map(|name| format!("providers.{name}.{field}"));
        spelt.into_iter().find(|key| values.has(key))
    };
    let text = |field: &str| key(field).map(|key| values.text(&key)).transpose();
    let token = match (text("token")?, key("token_file")) {
        (Some(token), _) => Some(token),
        (None, Some(key)) => Some(values.content(&key)?),
        (None, None) => None,
    };
    let token = token.filter(|token| !token.is_empty()).map(SecretString::from);
    let url = text("url")?.filter(|url| !url.is_empty());
    Ok(Provider { name, token, url, entry })
}

/// The name of an entry: the stem of a file, or the preset's own name.
fn name_of(entry: &str) -> &str {
    let file = entry.rsplit('/').next().unwrap_or(entry);
    file.strip_suffix(".toml").unwrap_or(file)
}
