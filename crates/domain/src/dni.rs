//! The DNI (Documento Nacional de Identidad): the eight digits of a Peruvian citizen.
//!
//! The character that some documents print after the number is not part of it. A natural person's RUC has the DNI as
//! its digits 3 to 10 ([`Ruc::dni`](crate::Ruc::dni), [`Ruc::from_dni`](crate::Ruc::from_dni)); other RUCs contain no
//! DNI.
//!
//! ```
//! use kuraka_domain::{Dni, DniError, Ruc};
//!
//! let dni: Dni = "01234567".parse()?;
//! assert_eq!(dni.to_string(), "01234567");
//! assert_eq!(Ruc::from_dni(dni).dni(), Some(dni));
//! assert_eq!(Dni::parse("1234567"), Err(DniError::Length { found: 7 }));
//! # Ok::<(), DniError>(())
//! ```

use core::fmt;

use crate::text::{check_digits, value_of};
use crate::text_value::{error_texts, text_value};

/// Eight digits, whether or not a person has them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dni(u32);

/// Why a text is not a DNI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DniError {
    /// The text does not have eight characters.
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
}

error_texts!(DniError {
    Self::Length { found } => "a DNI has 8 digits, this has {found} characters";
    Self::NotADigit { position, found } => "a DNI has ASCII digits only, position {position} holds {found:?}";
});

impl Dni {
    /// Reads exactly eight ASCII digits, without trimming.
    ///
    /// # Errors
    /// The first check that fails, in the order length, digits.
    pub fn parse(text: &str) -> Result<Self, DniError> {
        check_digits!(text, 8, DniError);
        Ok(Self(value_of(text)))
    }

    /// `None` if the number has more than eight digits.
    #[must_use]
    pub const fn from_number(number: u32) -> Option<Self> {
        if number < 100_000_000 { Some(Self(number)) } else { None }
    }

    /// Without leading zeros.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Dni {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08}", self.0)
    }
}

/// Masks the number (`*****845`), so that a stray `{:?}` leaks nothing.
impl fmt::Debug for Dni {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dni(*****{:03})", self.0 % 1000)
    }
}

text_value!(Dni, DniError, Self::parse, "a DNI of 8 digits");
