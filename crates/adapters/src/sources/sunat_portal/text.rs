//! Blanks and placeholders, as the page uses them.

/// A text without blanks at its ends, and with single ones inside.
pub(super) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Whether a text only says that there is nothing: blanks, `-`, `----`.
pub(super) fn is_placeholder(text: &str) -> bool {
    text.chars().all(|c| c == '-' || c.is_whitespace())
}
