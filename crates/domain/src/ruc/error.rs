//! Why a text or number is not a RUC, with the values that show it.
//!
//! The texts are for developers and logs. The server writes its own messages for callers.

use thiserror::Error;

/// Why a text or number is not a RUC: the first rule that it breaks, in the order of the variants.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RucError {
    /// The text does not have 11 characters, or the number does not have 11 digits.
    #[error("a RUC has 11 digits, this has {found} characters")]
    Length {
        /// Characters found.
        found: usize,
    },
    /// A character is not an ASCII digit.
    #[error("a RUC has ASCII digits only, position {position} holds {found:?}")]
    NotADigit {
        /// Position in characters, from 1.
        position: usize,
        /// The character at this position.
        found: char,
    },
    /// The first two digits are not 10, 15, 16, 17 or 20.
    #[error("a RUC begins with 10, 15, 16, 17 or 20, this begins with {found:02}")]
    Prefix {
        /// The first two digits.
        found: u8,
    },
    /// The eleventh digit does not match the first ten.
    #[error("the check digit is {found}, the first ten digits demand {expected}")]
    CheckDigit {
        /// The eleventh digit.
        found: u8,
        /// The digit that modulo 11 gives.
        expected: u8,
    },
}

/// What is wrong with the form of a text, counted in characters; `None` if it is eleven ASCII digits.
pub(super) fn shape_of(text: &str) -> Option<RucError> {
    let found = text.chars().count();
    if found != 11 {
        return Some(RucError::Length { found });
    }
    text.chars()
        .enumerate()
        .find(|(_, c)| !c.is_ascii_digit())
        .map(|(index, found)| RucError::NotADigit { position: index + 1, found })
}
