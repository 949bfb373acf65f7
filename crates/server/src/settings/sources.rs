//! Settings of the sources of details: the official page, and the providers behind it.

use std::time::Duration;

use kuraka_adapters::sources::sunat_portal::{Config as PortalConfig, ConfigError, USER_AGENT};
use secrecy::SecretString;

use super::{SettingsError, Values};

const INTERVAL: &str = "a number of milliseconds from 0 to 60000";

/// One link of `providers.chain`.
#[derive(Clone, Debug)]
pub struct Provider {
    /// What the chain says: a preset's name, or the path of a file.
    pub entry: String,
    /// The name in logs and metrics: the preset's, or the file's stem.
    pub name: String,
    /// `providers.<name>.token`, or what the file of `providers.<name>.token_file` holds.
    pub token: Option<SecretString>,
    /// `providers.<name>.url`: replaces the whole address.
    pub url: Option<String>,
}

/// `official`; `None` = the page is not asked.
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
        ConfigError::Url { .. } => values.refused("official.url", "the full http or https address of the page's POST"),
        ConfigError::UserAgent => values.refused("official.user_agent", "printable ASCII"),
        ConfigError::MinInterval(_) => values.refused("official.min_interval_ms", INTERVAL),
    })
}

/// `providers.chain`, in order.
pub(super) fn providers(values: &Values) -> Result<Vec<Provider>, SettingsError> {
    values.list("providers.chain")?.into_iter().map(|entry| provider(values, entry)).collect()
}

fn provider(values: &Values, entry: String) -> Result<Provider, SettingsError> {
    let name = name_of(&entry).to_owned();
    // The environment cannot spell a dash.
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

/// A file is named by its stem, a preset by itself.
fn name_of(entry: &str) -> &str {
    let file = entry.rsplit('/').next().unwrap_or(entry);
    file.strip_suffix(".toml").unwrap_or(file)
}
