//! The sources' checked settings.

use std::time::Duration;

use kuraka_adapters::sources::sunat_portal::{Config as PortalConfig, USER_AGENT};
use kuraka_adapters::sources::sunat_vouchers::{Config as VouchersConfig, ConfigError, Credentials};
use secrecy::SecretString;

use super::error::SettingsError;
use super::kind::{Kind, WebAddress};
use super::sections::{Official, OneProvider, Providers, VoucherCredentials, VoucherUrls};
use super::values::Values;

/// An entry of `providers.chain`.
#[derive(Clone, Debug)]
pub struct Provider {
    /// A preset's name, or a file's path.
    pub entry: String,
    /// The preset's name, or the file's stem.
    pub name: String,
    /// `providers.<name>.token`.
    pub token: Option<SecretString>,
    /// `providers.<name>.url`.
    pub url: Option<String>,
}

/// `None` = no source.
pub(super) fn official(values: &Values, settings: Official) -> Result<Option<PortalConfig>, SettingsError> {
    let Official { url: Some(url), min_interval_ms, user_agent, .. } = settings else { return Ok(None) };
    let agent = user_agent.as_deref().unwrap_or(USER_AGENT);
    let config = PortalConfig::new(&url, agent, Duration::from_millis(min_interval_ms));
    config.map(Some).map_err(|_| values.invalid("official.url", &WebAddress::expected()))
}

/// `providers.chain`, in order.
pub(super) fn providers(values: &Values) -> Result<Vec<Provider>, SettingsError> {
    let Providers { chain } = values.section("providers.")?;
    let provider = |entry: String| {
        let name = provider_name(&entry).to_owned();
        // Names of variables have no dash.
        let OneProvider { token, url } = values.section(&format!("providers.{}.", name.replace('-', "_")))?;
        Ok(Provider { name, token, url, entry })
    };
    chain.into_iter().map(provider).collect()
}

/// The preset's name, or the stem of the file.
pub fn provider_name(entry: &str) -> &str {
    let file = entry.rsplit('/').next().unwrap_or(entry);
    file.strip_suffix(".toml").unwrap_or(file)
}

/// `None` = no credentials.
pub(super) fn vouchers(values: &Values) -> Result<Option<VouchersConfig>, SettingsError> {
    let further = values.names_below("vouchers.more.").into_iter().map(|name| format!("vouchers.more.{name}."));
    let prefixes = ["vouchers.".to_owned()].into_iter().chain(further);
    let sets = prefixes.filter_map(|prefix| credentials(values, &prefix).transpose());
    let sets: Vec<_> = sets.collect::<Result<_, _>>()?;
    let VoucherUrls { token_url, api_url } = values.section("vouchers.")?;
    if sets.is_empty() {
        return Ok(None);
    }
    VouchersConfig::new(&token_url, &api_url, sets).map(Some).map_err(|error| {
        let key = if error == ConfigError::TokenUrl { "vouchers.token_url" } else { "vouchers.api_url" };
        values.invalid(key, &WebAddress::expected())
    })
}

/// `None` = nothing set. An incomplete set is an error.
fn credentials(values: &Values, prefix: &str) -> Result<Option<Credentials>, SettingsError> {
    let VoucherCredentials { ruc, client_id, client_secret } = values.section(prefix)?;
    let missing = match (ruc, client_id, client_secret) {
        (Some(ruc), Some(client_id), Some(client_secret)) => {
            return Ok(Some(Credentials { ruc, client_id, client_secret }));
        }
        (None, None, None) => return Ok(None),
        (None, ..) => "ruc",
        (_, None, _) => "client_id",
        (.., None) => "client_secret",
    };
    Err(values.invalid(&format!("{prefix}{missing}"), "set: ruc, client_id and client_secret go together"))
}
