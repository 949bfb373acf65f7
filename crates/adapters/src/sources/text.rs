//! Cleans or refuses one text of an answer: decodes HTML entities, folds blanks, empties placeholders (`-`, `----`);
//! refuses control characters and mojibake (text decoded with the wrong table).

use thiserror::Error;

/// The padrón's longest names have about three hundred.
const MAX_CHARACTERS: usize = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum TextError {
    #[error("is longer than {MAX_CHARACTERS} characters")]
    TooLong,
    #[error("holds control characters")]
    Control,
    /// It was decoded with the wrong table.
    #[error("is mojibake")]
    Mojibake,
}

/// Empty for a placeholder.
pub(super) fn clean(text: &str) -> Result<String, TextError> {
    if text.chars().count() > MAX_CHARACTERS {
        return Err(TextError::TooLong);
    }
    // Decoded once: an entity that decodes to an entity is meant as text.
    let text = html_escape::decode_html_entities(text);
    if is_mojibake(&text) {
        return Err(TextError::Mojibake);
    }
    if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
        return Err(TextError::Control);
    }
    Ok(if is_placeholder(&text) { String::new() } else { folded(&text) })
}

pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn is_placeholder(text: &str) -> bool {
    text.chars().all(|c| c == '-' || c.is_whitespace())
}

/// The characters of windows-1252 for the bytes 0x80 to 0x9F.
const SPECIAL: &str = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

/// Whether UTF-8 was read as Latin-1 or windows-1252: the lead bytes of Spanish letters (`Ã`, `Â`) and typographic
/// marks (`â`), followed by those tables' characters for the bytes 0x80 to 0xBF.
pub(super) fn is_mojibake(text: &str) -> bool {
    let trail = |c: char| ('\u{80}'..='\u{bf}').contains(&c) || SPECIAL.contains(c);
    let pairs = text.chars().zip(text.chars().skip(1));
    text.contains(char::REPLACEMENT_CHARACTER)
        || pairs.into_iter().any(|(lead, next)| match lead {
            'Ã' | 'Â' => trail(next),
            'â' => next == '€' || next == '\u{80}',
            _ => false,
        })
}
