//! Finds a token in the query string, where it does not belong: proxies, browsers and logs keep addresses.

use std::borrow::Cow;

use kuraka_app::PresentedToken;

/// In lower case, without `-` and `_`.
const NAMES: [&str; 8] =
    ["token", "accesstoken", "apitoken", "authtoken", "apikey", "accesskey", "authorization", "bearer"];

/// Whether a parameter has one of these names, or anything is a token.
pub(crate) fn is_in(query: &str) -> bool {
    form_urlencoded::parse(query.as_bytes()).any(|(name, value)| is_name(&name) || is_token(&name) || is_token(&value))
}

fn is_name(name: &str) -> bool {
    let plain: Cow<'_, str> = name.chars().filter(|c| !matches!(c, '-' | '_')).collect();
    NAMES.iter().any(|known| plain.eq_ignore_ascii_case(known))
}

fn is_token(text: &str) -> bool {
    PresentedToken::read(text.as_bytes()).is_some()
}
