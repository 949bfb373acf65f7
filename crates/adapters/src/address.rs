//! Addresses of files for people.

/// A URL without user, password and query, where providers accept tokens.
pub fn without_secrets(address: &str) -> String {
    let (address, query) = address.split_once('?').map_or((address, ""), |(address, _)| (address, "?…"));
    let shown = address.split_once("://").and_then(|(scheme, rest)| {
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        authority.rsplit_once('@').map(|(_, host)| format!("{scheme}://…@{host}{path}"))
    });
    shown.unwrap_or_else(|| address.to_owned()) + query
}
