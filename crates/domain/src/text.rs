//! Texts compared without case, accents and punctuation, which official files vary.

use alloc::string::String;

/// Upper case without accents, all but letters and digits as single blanks.
#[must_use]
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars().flat_map(char::to_uppercase).map(without_accent) {
        if c.is_alphanumeric() {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            out.push(c);
        } else {
            gap = true;
        }
    }
    out
}

/// Upper case without accents; punctuation stays.
#[must_use]
pub fn without_accents(text: &str) -> String {
    // Almost every text is ASCII: several times faster.
    if text.is_ascii() {
        return text.to_ascii_uppercase();
    }
    text.chars().flat_map(char::to_uppercase).map(without_accent).collect()
}

pub(crate) const fn without_accent(c: char) -> char {
    match c {
        'À' | 'Á' | 'Â' | 'Ã' | 'Ä' | 'Å' => 'A',
        'Ç' => 'C',
        'È' | 'É' | 'Ê' | 'Ë' => 'E',
        'Ì' | 'Í' | 'Î' | 'Ï' => 'I',
        'Ñ' => 'N',
        'Ò' | 'Ó' | 'Ô' | 'Õ' | 'Ö' => 'O',
        'Ù' | 'Ú' | 'Û' | 'Ü' => 'U',
        'Ý' | 'Ÿ' => 'Y',
        other => other,
    }
}

pub(crate) fn first_other(text: &str, allowed: impl Fn(char) -> bool) -> Option<(usize, char)> {
    text.chars().enumerate().find(|&(_, c)| !allowed(c)).map(|(index, c)| (index + 1, c))
}

/// `digits` has at most nine ASCII digits.
pub(crate) fn value_of(digits: &str) -> u32 {
    digits.bytes().fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'))
}

/// Returns `Length` or `NotADigit`, unless the text has this many characters, all ASCII digits.
macro_rules! check_digits {
    ($text:ident, $length:pat, $error:ident) => {
        let found = $text.chars().count();
        if !matches!(found, $length) {
            return Err($error::Length { found });
        }
        if let Some((position, found)) = $crate::text::first_other($text, |c| c.is_ascii_digit()) {
            return Err($error::NotADigit { position, found });
        }
    };
}

pub(crate) use check_digits;
