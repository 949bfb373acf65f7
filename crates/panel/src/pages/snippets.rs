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

/// The playground's languages, in which any body can be written.
pub(crate) fn snippets(url: &str, body: &'static str) -> [Snippet; 5] {
    [
        snippet(url, body, "curl", "shell", include_str!("../../snippets/curl.txt")),
        snippet(url, body, "JavaScript", "", include_str!("../../snippets/javascript.txt")),
        snippet(url, body, "Python", "", include_str!("../../snippets/python.txt")),
        snippet(url, body, "PHP", "php", include_str!("../../snippets/php.txt")),
        snippet(url, body, "Rust", "", include_str!("../../snippets/rust.txt")),
    ]
}

/// The body must be one line, without single quotes or backslashes.
pub(crate) fn all_snippets(url: &str, body: &'static str) -> Vec<Snippet> {
    let more = [
        snippet(url, body, "C#", "", include_str!("../../snippets/csharp.txt")),
        snippet(url, body, "Java", "", include_str!("../../snippets/java.txt")),
        snippet(url, body, "PowerShell", "", include_str!("../../snippets/powershell.txt")),
    ];
    snippets(url, body).into_iter().chain(more).collect()
}

fn snippet(url: &str, body: &'static str, language: &'static str, quote: &'static str, call: &'static str) -> Snippet {
    let (before, after) = call.trim_end().split_once("{body}").unwrap_or((call, ""));
    Snippet { language, before: before.replace("{url}", url), body, after, quote }
}
