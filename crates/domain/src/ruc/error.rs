//! Why something is not a RUC, with the evidence.
//!
//! The texts are for developers and logs; what an end user reads is the caller's business.

use thiserror::Error;

/// Why a text or a number is not a RUC: the first rule it breaks, in the order of the variants.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RucError {
    /// The text has another number of characters than 11, or the number another count of digits.
    #[error("a RUC has 11 digits, this has {found} characters")]
    Length {
        /// Characters found.
        found: usize,
    },
    /// A character is not an ASCII digit.
    #[error("a RUC has ASCII digits only, position {position} holds {found:?}")]
    NotADigit {
        /// Where, counted in characters from 1.
        position: usize,
        /// What stands there.
        found: char,
    },
    /// The first two digits are not 10, 15, 16, 17 or 20.
    #[error("a RUC begins with 10, 15, 16, 17 or 20, this begins with {found:02}")]
    Prefix {
        /// The two digits found.
        found: u8,
    },
    /// The eleventh digit is not the one the first ten demand.
    #[error("the check digit is {found}, the first ten digits demand {expected}")]
    CheckDigit {
        /// The digit found.
        found: u8,
        /// The digit that modulo 11 demands.
        expected: u8,
    },
}

/// The refusal of a text, with its evidence in characters; `None` if the text is eleven ASCII digits.
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
