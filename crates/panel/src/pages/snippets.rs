//! A call in several programming languages. Each file of `snippets` holds one, with `{url}` and `{body}`.

/// The body is separate, so that the playground's script can replace it.
pub(crate) struct Snippet {
    pub(crate) language: &'static str,
    pub(crate) before: String,
    pub(crate) body: &'static str,
    pub(crate) after: &'static str,
    /// How the script escapes a body: `shell`, `php`, or not at all.
    pub(crate) quote: &'static str,
}

/// Languages, how the script escapes their bodies, and calls. In the first five, any body can be written.
const CALLS: [(&str, &str, &str); 8] = [
    ("curl", "shell", include_str!("../../snippets/curl.txt")),
    ("JavaScript", "", include_str!("../../snippets/javascript.txt")),
    ("Python", "", include_str!("../../snippets/python.txt")),
    ("PHP", "php", include_str!("../../snippets/php.txt")),
    ("Rust", "", include_str!("../../snippets/rust.txt")),
    ("C#", "", include_str!("../../snippets/csharp.txt")),
    ("Java", "", include_str!("../../snippets/java.txt")),
    ("PowerShell", "", include_str!("../../snippets/powershell.txt")),
];

/// The playground's languages, in which any body can be written.
pub(crate) fn snippets(url: &str, body: &'static str) -> Vec<Snippet> {
    all_snippets(url, body).into_iter().take(5).collect()
}

/// The body must be one line, without single quotes or backslashes.
pub(crate) fn all_snippets(url: &str, body: &'static str) -> Vec<Snippet> {
    let snippet = |(language, quote, call): (_, _, &'static str)| {
        let (before, after) = call.trim_end().split_once("{body}").unwrap_or((call, ""));
        Snippet { language, before: before.replace("{url}", url), body, after, quote }
    };
    CALLS.map(snippet).into()
}
