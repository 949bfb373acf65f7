//! Settings of the voucher service: its URLs and our credentials.

use kuraka_adapters::sources::sunat_vouchers::{Config, ConfigError, Credentials};

use super::{SettingsError, Values};

/// The section of the first set of credentials, and the section of further named sets.
const SECTION: &str = "vouchers";
const MORE: &str = "vouchers.more";

/// `vouchers`; `None` if there are no credentials, so that the service is not a source.
pub(super) fn vouchers(values: &Values) -> Result<Option<Config>, SettingsError> {
    let further = values.names_under(MORE).into_iter().map(|name| format!("{MORE}.{name}"));
    let sections: Vec<String> = [SECTION.to_owned()].into_iter().chain(further).collect();
    let sets = sections.iter().map(|section| credentials(values, section)).collect::<Result<Vec<_>, _>>()?;
    let sets: Vec<Credentials> = sets.into_iter().flatten().collect();
    if sets.is_empty() {
        return Ok(None);
    }
    let (token_url, api_url) = (values.text("vouchers.token_url")?, values.text("vouchers.api_url")?);
    let address = "the full http or https address of a POST";
    Config::new(&token_url, &api_url, sets).map(Some).map_err(|error| match error {
        ConfigError::TokenUrl => values.invalid("vouchers.token_url", address),
        ConfigError::ApiUrl => values.invalid("vouchers.api_url", address),
        ConfigError::ClientId => values.invalid("vouchers.client_id", "printable ASCII without blanks, in every set"),
        ConfigError::NoCredentials => values.invalid("vouchers.ruc", "set with its client_id and client_secret"),
    })
}

/// One set of credentials; `None` if none of its settings has a value. An incomplete set is an error.
fn credentials(values: &Values, section: &str) -> Result<Option<Credentials>, SettingsError> {
    let key = |field: &str| format!("{section}.{field}");
    let text = |field: &str| match key(field) {
        key if values.has(&key) => values.text(&key),
        _ => Ok(String::new()),
    };
    let (ruc, client_id, client_secret) = (text("ruc")?, text("client_id")?, values.secret(&key("client_secret"))?);
    if ruc.is_empty() && client_id.is_empty() && client_secret.is_none() {
        return Ok(None);
    }
    let missing = |field: &str| values.invalid(&key(field), "set: ruc, client_id and client_secret go together");
    if ruc.is_empty() {
        return Err(missing("ruc"));
    }
    let ruc =
        ruc.parse().map_err(|_| values.invalid(&key("ruc"), "a RUC of 11 digits, that of the credentials' owner"))?;
    if client_id.is_empty() {
        return Err(missing("client_id"));
    }
    let client_secret = client_secret.ok_or_else(|| missing("client_secret"))?;
    Ok(Some(Credentials { ruc, client_id, client_secret }))
}
