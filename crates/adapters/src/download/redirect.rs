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

#[cfg(test)]
mod tests {
    use super::*;

    fn to(from: &str, location: &str) -> Option<String> {
        target(&from.parse().unwrap(), location).map(String::from)
    }

    #[test]
    fn a_redirect_stays_on_its_host_or_on_https() {
        for (from, location, followed) in [
            ("https://a.pe/x", "https://b.pe/y?sig=1", Some("https://b.pe/y?sig=1")),
            ("https://a.pe/x", "/y", Some("https://a.pe/y")),
            ("http://a.pe/x", "https://a.pe/x", Some("https://a.pe/x")),
            ("http://a.pe/x", "/y", Some("http://a.pe/y")),
            ("http://a.pe/x", "https://b.pe/y", None),
            ("http://a.pe/x", "http://b.pe/y", None),
            ("http://a.pe/x", "http://a.pe:81/y", None),
            ("https://a.pe/x", "http://a.pe/x", None),
            ("https://a.pe/x", "http://b.pe/y", None),
            ("https://a.pe/x", "file:///etc/passwd", None),
            ("https://a.pe/x", "http://[", None),
        ] {
            assert_eq!(to(from, location).as_deref(), followed, "{from} to {location}");
        }
    }

    #[test]
    fn a_shown_location_has_no_signature() {
        assert_eq!(shown("https://b.pe/y?sig=1#z"), "https://b.pe/y");
        assert_eq!(shown("https://ana:s3cr3t@b.pe/y"), "https://…@b.pe/y");
        assert_eq!(shown(""), "");
    }
}
