//! Which redirects are followed, because publishers hand out temporary addresses. Such an address may have a signature,
//! so it is in no note, log or error. Pure.

use reqwest::Url;

use crate::address::without_secrets;

/// The redirects that one request follows.
pub(super) const HOPS: usize = 5;

/// The address to follow, if allowed: on the same host or from https to https, so that the network does not choose the
/// file; never away from https.
pub(super) fn target(from: &Url, location: &str) -> Option<Url> {
    let to = from.join(location).ok()?;
    let (was_safe, is_safe) = (from.scheme() == "https", to.scheme() == "https");
    let is_same_host = from.host_str() == to.host_str();
    (from.origin() == to.origin() || is_safe && (was_safe || is_same_host)).then_some(to)
}

/// For errors: without user, password, query and fragment.
pub(super) fn shown(location: &str) -> String {
    without_secrets(location.split(['?', '#']).next().unwrap_or_default())
}
