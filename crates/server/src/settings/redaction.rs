//! Removes secrets from settings before they are printed.

/// The endings of keys whose values are never shown.
const SECRETS: [&str; 3] = [".token", ".client_id", ".client_secret"];

/// Whether the value of this setting is a secret.
pub(super) fn is_secret(key: &str) -> bool {
    SECRETS.iter().any(|field| key.ends_with(field))
}
