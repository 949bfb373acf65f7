//! Why a text or number is not a RUC.

use crate::text::check_digits;
use crate::text_value::error_texts;

/// The first broken rule, in the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RucError {
    /// Not 11 characters, or not 11 digits.
    Length {
        /// Characters found.
        found: usize,
    },
    /// A character is not an ASCII digit.
    NotADigit {
        /// Position in characters, from 1.
        position: usize,
        /// The character at this position.
        found: char,
    },
    /// The first two digits are not 10, 15, 16, 17 or 20.
    Prefix {
        /// The first two digits.
        found: u8,
    },
    /// The eleventh digit does not match the first ten.
    CheckDigit {
        /// The eleventh digit.
        found: u8,
        /// The one that matches.
        expected: u8,
    },
}

error_texts!(RucError {
    Self::Length { found } => "a RUC has 11 digits, this has {found} characters";
    Self::NotADigit { position, found } => "a RUC has ASCII digits only, position {position} holds {found:?}";
    Self::Prefix { found } => "a RUC begins with 10, 15, 16, 17 or 20, this begins with {found:02}";
    Self::CheckDigit { found, expected } => "the check digit is {found}, the first ten digits demand {expected}";
});

/// The error counts characters.
pub(super) fn check_form(text: &str) -> Result<(), RucError> {
    check_digits!(text, 11, RucError);
    Ok(())
}
