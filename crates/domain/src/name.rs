//! The words of a taxpayer's name as a search compares them.
//!
//! Case, accents and `Ñ`/`N` are ignored, and apostrophes are dropped. Single letters joined by dots are one word. Every
//! other character that is neither a letter nor a digit separates words.
//!
//! ```
//! use kuraka_domain::name::{folded, words};
//!
//! assert_eq!(folded("Molinos D'Añón S.A.C."), "MOLINOS DANON SAC");
//! assert_eq!(words("H.V.C.EXPORTACIONES"), ["HVC", "EXPORTACIONES"]);
//! assert_eq!(words("B.BRAUN PERU S.A."), ["B", "BRAUN", "PERU", "SA"]);
//! ```

use alloc::string::String;
use alloc::vec::Vec;

use crate::text::without_accent;

/// The words of a name, in order.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    // What separates `word` from the last word, and whether that one is a letter or letters joined by dots.
    let (mut gap, mut joins) = (Gap::Other, false);
    for c in name.chars().filter(|c| !is_dropped(*c)).flat_map(char::to_uppercase).map(without_accent).chain([' ']) {
        if c.is_alphanumeric() {
            word.push(c);
            continue;
        }
        if word.is_empty() {
            gap = Gap::Other;
            continue;
        }
        let is_letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        match words.last_mut() {
            Some(last) if is_letter && joins && gap == Gap::Dot => last.push_str(&word),
            Some(_) | None => {
                words.push(word.clone());
                joins = is_letter;
            }
        }
        word.clear();
        gap = if c == '.' { Gap::Dot } else { Gap::Other };
    }
    words
}

/// The words of a name, joined by blanks. Names are sorted by it.
#[must_use]
pub fn folded(name: &str) -> String {
    words(name).join(" ")
}

/// What separates two words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// One dot and nothing else.
    Dot,
    /// Anything else.
    Other,
}

/// Apostrophes, in the forms that people type, and accents that are characters of their own.
const fn is_dropped(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '´' | '`' | '\u{300}'..='\u{36f}')
}
