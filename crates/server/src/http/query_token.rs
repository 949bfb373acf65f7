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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_names_are_found_in_any_spelling() {
        for query in [
            "token=x",
            "a=1&token=",
            "token",
            "TOKEN=x",
            "access_token=x",
            "access-token=x",
            "apiToken=x",
            "api_key=x",
            "apikey=x",
            "t%6fken=x",
            "authorization=Bearer%20x",
        ] {
            assert!(is_in(query), "{query}");
        }
    }

    #[test]
    fn a_token_is_found_under_any_name() {
        let token = format!("kur_{:036}", 7);
        assert!(is_in(&format!("k={token}")));
        assert!(is_in(&token));
    }

    #[test]
    fn other_parameters_are_no_token() {
        for query in ["", "ruc=20100119227", "tokens=1", "t=kur_x", "&&", "=", "%"] {
            assert!(!is_in(query), "{query}");
        }
    }
}
