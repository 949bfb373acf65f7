//! Settings of the panel: the server's public URL, and whether users may sign up.

use kuraka_app::Plans;
use kuraka_ports::PlanName;

use super::{SettingsError, Values};

/// The value that closes sign-up.
const OFF: &str = "off";

/// `http.public_url` without a `/` at its end; `None` if it is not set.
pub(super) fn public_url(values: &Values) -> Result<Option<String>, SettingsError> {
    const KEY: &str = "http.public_url";
    let text = values.text(KEY)?;
    if text.is_empty() {
        return Ok(None);
    }
    // The panel compares it with the header `Origin` and puts it in front of paths.
    let url = text.strip_suffix('/').unwrap_or(&text);
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or_default();
    let is_host =
        |host: &str| host.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b".:-[]".contains(&b));
    if host.is_empty() || !is_host(host) {
        return Err(values.invalid(KEY, "an address such as https://api.example.pe, without a path"));
    }
    Ok(Some(url.to_owned()))
}

/// `panel.sign_up`: the plan of new accounts; `None` if sign-up is closed.
pub(super) fn sign_up(values: &Values, plans: &Plans) -> Result<Option<PlanName>, SettingsError> {
    const KEY: &str = "panel.sign_up";
    let text = values.text(KEY)?;
    if text == OFF {
        return Ok(None);
    }
    let plan = PlanName::parse(&text).ok().filter(|name| plans.find(name).is_some());
    plan.map(Some).ok_or_else(|| values.invalid(KEY, "the name of a plan in the settings, or off"))
}
