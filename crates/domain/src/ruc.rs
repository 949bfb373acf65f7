//! The RUC (Registro Único de Contribuyentes): Peru's 11-digit taxpayer number.
//!
//! | digits | content |
//! |---|---|
//! | 1–2 | the prefix: 10, 15, 16, 17 or 20 ([`RucKind`]) |
//! | 3–10 | the body; with prefix 10, the DNI |
//! | 11 | the check digit |
//!
//! The check digit is 11 − (sum mod 11), where the sum is over the first ten digits with the weights 5 4 3 2 7 6 5 4 3
//! 2; 10 is written 0, and 11 is written 1.
//!
//! A RUC is written as exactly eleven ASCII digits; the parser trims and repairs nothing. Only the registry knows
//! whether SUNAT has issued a number.
//!
//! ```
//! use kuraka_domain::{Ruc, RucError, RucKind};
//!
//! let ruc: Ruc = "20131312955".parse()?;
//! assert_eq!(ruc.kind(), RucKind::LegalPerson);
//! assert_eq!(ruc.to_string(), "20131312955");
//! assert_eq!(ruc.dni(), None);
//! assert_eq!(Ruc::from_dni("12345678".parse()?).to_string(), "10123456781");
//!
//! assert_eq!("20131312954".parse::<Ruc>(), Err(RucError::CheckDigit { found: 4, expected: 5 }));
//! assert_eq!("2013131295".parse::<Ruc>(), Err(RucError::Length { found: 10 }));
//! assert_eq!("30131312955".parse::<Ruc>(), Err(RucError::Prefix { found: 30 }));
//! assert_eq!("+2013131295".parse::<Ruc>(), Err(RucError::NotADigit { position: 1, found: '+' }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod kind;

use core::fmt;
use core::num::NonZeroU64;

pub use self::error::RucError;
pub use self::kind::RucKind;
use crate::Dni;

/// The check digit has weight 0.
const WEIGHTS: [u32; 11] = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 0];

/// Eleven digits with a known prefix and a matching check digit. Takes eight bytes, as does `Option<Ruc>`. Ordered by
/// number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ruc(NonZeroU64);

impl Ruc {
    /// Reads a RUC from exactly 11 ASCII digits, without trimming.
    ///
    /// # Errors
    /// The first check that fails, in the order length, digits, prefix, check digit.
    pub fn parse(text: &str) -> Result<Self, RucError> {
        Self::from_ascii(text.as_bytes()).map_err(|error| match error {
            // Characters are counted for the error only.
            RucError::Length { .. } | RucError::NotADigit { .. } => error::check_form(text).err().unwrap_or(error),
            RucError::Prefix { .. } | RucError::CheckDigit { .. } => error,
        })
    }

    /// Like [`Ruc::parse`]; the error counts bytes.
    ///
    /// # Errors
    /// See [`Ruc::parse`].
    pub fn from_ascii(bytes: &[u8]) -> Result<Self, RucError> {
        let ascii: &[u8; 11] = bytes.try_into().map_err(|_| RucError::Length { found: bytes.len() })?;
        if let Some(index) = ascii.iter().position(|byte| !byte.is_ascii_digit()) {
            let found = ascii.get(index).copied().map_or(char::REPLACEMENT_CHARACTER, char::from);
            return Err(RucError::NotADigit { position: index + 1, found });
        }
        let digits = ascii.map(|byte| byte - b'0');
        let number = digits.iter().fold(0, |sum, &digit| sum * 10 + u64::from(digit));
        Self::checked(number, &digits)
    }

    /// Computes the check digit of this prefix and body.
    ///
    /// ```
    /// # use kuraka_domain::{Ruc, RucKind};
    /// let ruc = Ruc::from_parts(RucKind::NaturalPerson, 12_345_678)?;
    /// assert_eq!(ruc.to_string(), "10123456781");
    /// # Ok::<(), kuraka_domain::RucError>(())
    /// ```
    ///
    /// # Errors
    /// [`RucError::Length`] if `body` has more than eight digits.
    pub fn from_parts(kind: RucKind, body: u32) -> Result<Self, RucError> {
        if body > 99_999_999 {
            return Err(RucError::Length { found: 3 + body.ilog10() as usize + 1 });
        }
        Ok(Self::with_check_digit(kind, body))
    }

    /// The RUC of the natural person with this DNI.
    #[must_use]
    pub fn from_dni(dni: Dni) -> Self {
        Self::with_check_digit(RucKind::NaturalPerson, dni.get())
    }

    fn with_check_digit(kind: RucKind, body: u32) -> Self {
        let without_check = (u64::from(kind.prefix()) * 100_000_000 + u64::from(body)) * 10;
        let number = without_check + u64::from(check_digit(&digits_of(without_check)));
        // No prefix is 0, so the number is at least 1.
        Self(NonZeroU64::MIN.saturating_add(number - 1))
    }

    /// Checks prefix and check digit of a number with these digits.
    fn checked(number: u64, digits: &[u8; 11]) -> Result<Self, RucError> {
        let [tens, units, .., found] = *digits;
        let prefix = tens * 10 + units;
        let (Some(number), Some(_)) = (NonZeroU64::new(number), RucKind::from_prefix(prefix)) else {
            return Err(RucError::Prefix { found: prefix });
        };
        let expected = check_digit(digits);
        if found != expected {
            return Err(RucError::CheckDigit { found, expected });
        }
        Ok(Self(number))
    }

    /// The kind of taxpayer, from the prefix.
    #[must_use]
    pub const fn kind(self) -> RucKind {
        match RucKind::from_prefix(self.prefix()) {
            Some(kind) => kind,
            // Unreachable: every `Ruc` has one of the known prefixes.
            None => RucKind::LegalPerson,
        }
    }

    /// The first two digits.
    #[must_use]
    pub const fn prefix(self) -> u8 {
        (self.0.get() / 1_000_000_000) as u8
    }

    /// Digits 3 to 10, below 100,000,000.
    #[must_use]
    pub const fn body(self) -> u32 {
        (self.0.get() / 10 % 100_000_000) as u32
    }

    /// The RUC as a number of eleven digits.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0.get()
    }

    /// `None` for other kinds than natural persons.
    ///
    /// ```
    /// # use kuraka_domain::{Dni, Ruc};
    /// let ruc: Ruc = "10012345670".parse()?;
    /// assert_eq!(ruc.dni(), Dni::parse("01234567").ok());
    /// # Ok::<(), kuraka_domain::RucError>(())
    /// ```
    #[must_use]
    pub const fn dni(self) -> Option<Dni> {
        match self.kind() {
            RucKind::NaturalPerson => Dni::from_number(self.body()),
            RucKind::Estate | RucKind::Special | RucKind::Foreigner | RucKind::LegalPerson => None,
        }
    }

    /// Whether it may be a natural person's (10, 15, 16, 17) and must be masked in logs.
    #[must_use]
    pub const fn is_personal(self) -> bool {
        !matches!(self.kind(), RucKind::LegalPerson)
    }
}

/// Of the first ten digits, as values.
fn check_digit(digits: &[u8; 11]) -> u8 {
    let sum: u32 = digits.iter().zip(WEIGHTS).map(|(&digit, weight)| u32::from(digit) * weight).sum();
    ((11 - sum % 11) % 10) as u8
}

fn digits_of(number: u64) -> [u8; 11] {
    let mut digits = [0; 11];
    let mut rest = number;
    for digit in digits.iter_mut().rev() {
        *digit = (rest % 10) as u8;
        rest /= 10;
    }
    digits
}

/// No RUC begins with 0.
impl TryFrom<u64> for Ruc {
    type Error = RucError;

    fn try_from(number: u64) -> Result<Self, RucError> {
        match number.checked_ilog10().map_or(1, |log| log as usize + 1) {
            11 => Self::checked(number, &digits_of(number)),
            found => Err(RucError::Length { found }),
        }
    }
}

impl From<Ruc> for u64 {
    fn from(ruc: Ruc) -> Self {
        ruc.get()
    }
}

impl fmt::Display for Ruc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Masks a person's number (`10******845`), so that a stray `{:?}` leaks nothing.
impl fmt::Debug for Ruc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_personal() {
            write!(f, "Ruc({}******{:03})", self.prefix(), self.0.get() % 1000)
        } else {
            write!(f, "Ruc({})", self.0)
        }
    }
}

crate::text_value::text_value!(Ruc, RucError, Self::parse, "a RUC of 11 digits");
