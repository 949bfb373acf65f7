//! One call in five programming languages. The body is a separate part, so that the page's script can replace it.
//!
//! A file of `snippets` holds each call, with `{url}` and `{body}` in place of the address and the body.

/// A call in one language.
pub(super) struct Snippet {
    pub(super) language: &'static str,
    pub(super) before: String,
    pub(super) body: &'static str,
    pub(super) after: &'static str,
    /// How the script must escape a body: `shell`, `php`, or not at all.
    pub(super) quote: &'static str,
}

/// A call of `url` with `body`, which must not contain a single quote.
pub(super) fn of(url: &str, body: &'static str) -> [Snippet; 5] {
    let snippet = |language, quote, call: &'static str| {
        let (before, after) = call.trim_end().split_once("{body}").unwrap_or((call, ""));
        Snippet { language, before: before.replace("{url}", url), body, after, quote }
    };
    [
        snippet("curl", "shell", include_str!("../../../snippets/curl.txt")),
        snippet("JavaScript", "", include_str!("../../../snippets/javascript.txt")),
        snippet("Python", "", include_str!("../../../snippets/python.txt")),
        snippet("PHP", "php", include_str!("../../../snippets/php.txt")),
        snippet("Rust", "", include_str!("../../../snippets/rust.txt")),
    ]
}
