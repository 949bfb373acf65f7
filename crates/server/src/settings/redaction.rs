//! Removes secrets from settings before they are printed.

/// The endings of keys whose values are never shown.
const SECRETS: [&str; 3] = [".token", ".client_id", ".client_secret"];

/// Whether the value of this setting is a secret.
pub(super) fn is_secret(key: &str) -> bool {
    SECRETS.iter().any(|field| key.ends_with(field))
}

/// A URL without its user, password and query, because providers accept tokens there.
pub(super) fn without_secrets(address: &str) -> String {
    let (address, query) = address.split_once('?').map_or((address, ""), |(address, _)| (address, "?…"));
    let shown = address.split_once("://").and_then(|(scheme, rest)| {
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        authority.rsplit_once('@').map(|(_, host)| format!("{scheme}://…@{host}{path}"))
    });
    shown.unwrap_or_else(|| address.to_owned()) + query
}
