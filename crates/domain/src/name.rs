//! The words of a taxpayer's name, as a search compares them.
//!
//! Case, accents and `Ñ`/`N` are ignored, apostrophes are dropped, and single letters joined by dots are one word. All
//! other characters than letters and digits separate words.
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

/// How the words of a query and of a name, both [folded], are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchMode {
    /// Every word begins a word of the name, in any order; two may begin the same one.
    #[default]
    Words,
    /// The name begins with these words, in this order.
    Prefix,
    /// Every word is inside a word of the name.
    Contains,
}

impl SearchMode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::Words, Self::Prefix, Self::Contains];

    /// The name that callers send.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "palabras",
            Self::Prefix => "comienzo",
            Self::Contains => "contiene",
        }
    }
}

/// In order.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    folded(name).split(' ').filter(|word| !word.is_empty()).map(String::from).collect()
}

/// The words joined by blanks: the sort key of names.
#[must_use]
pub fn folded(name: &str) -> String {
    let mut folding = Folding { out: String::with_capacity(name.len()), ..Folding::default() };
    for c in name.chars().filter(|c| !is_dropped(*c)) {
        if c.is_ascii() {
            folding.push(c.to_ascii_uppercase());
        } else {
            c.to_uppercase().map(without_accent).for_each(|c| folding.push(c));
        }
    }
    folding.end_word();
    folding.out
}

#[derive(Default)]
struct Folding {
    out: String,
    /// Where the current word begins; `None` = between words.
    word: Option<usize>,
    /// Whether exactly one dot follows the last word.
    is_dot: bool,
    /// Whether the last word is a letter, or letters joined by dots, to which a dot may join another.
    joins: bool,
}

impl Folding {
    fn push(&mut self, c: char) {
        if !c.is_alphanumeric() {
            self.is_dot = self.end_word() && c == '.';
            return;
        }
        if self.word.is_none() {
            if !self.out.is_empty() {
                self.out.push(' ');
            }
            self.word = Some(self.out.len());
        }
        self.out.push(c);
    }

    /// Whether there was a word.
    fn end_word(&mut self) -> bool {
        let Some(start) = self.word.take() else { return false };
        let mut letters = self.out.get(start..).unwrap_or_default().chars();
        let is_letter = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
        if is_letter && self.joins && self.is_dot {
            // The blank before it.
            self.out.remove(start - 1);
        }
        self.joins = is_letter;
        true
    }
}

/// Apostrophes as people type them, and combining accents.
const fn is_dropped(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '´' | '`' | '\u{300}'..='\u{36f}')
}
