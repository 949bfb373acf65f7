//! The RUC: Peru's 11-digit taxpayer number.
//!
//! Two digits of prefix, eight of body, one check digit by modulo 11.
//! This module refuses to know whether a number was ever issued: that is the registry's business.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use thiserror::Error;

/// Weights of the first ten digits in the check-digit sum.
const WEIGHTS: [u32; 10] = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/// A well-formed RUC: 11 ASCII digits, a known prefix and a matching check digit.
///
/// Eight bytes, `Copy`, and `Option<Ruc>` is no larger. Ordered as the number is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ruc(NonZeroU64);

/// What kind of taxpayer a RUC's prefix announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RucKind {
    /// Prefix 10: a natural person with a DNI, which is digits 3 to 10.
    NaturalPerson,
    /// Prefix 15: undivided estates, marital partnerships and others without a DNI of their own.
    Estate,
    /// Prefix 16: listed by the tax authority's validators; hardly seen in the registry.
    Special,
    /// Prefix 17: natural persons with a foreign document.
    Foreigner,
    /// Prefix 20: a legal person.
    LegalPerson,
}

/// Why a text is not a RUC.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RucError {
    /// The text has another number of characters than 11.
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

impl RucKind {
    /// The two-digit prefix.
    #[must_use]
    pub const fn prefix(self) -> u8 {
        match self {
            Self::NaturalPerson => 10,
            Self::Estate => 15,
            Self::Special => 16,
            Self::Foreigner => 17,
            Self::LegalPerson => 20,
        }
    }

    /// The kind with this two-digit prefix.
    #[must_use]
    pub const fn from_prefix(prefix: u8) -> Option<Self> {
        match prefix {
            10 => Some(Self::NaturalPerson),
            15 => Some(Self::Estate),
            16 => Some(Self::Special),
            17 => Some(Self::Foreigner),
            20 => Some(Self::LegalPerson),
            _ => None,
        }
    }
}

impl Ruc {
    /// Reads a RUC from exactly 11 ASCII digits. Nothing is trimmed.
    ///
    /// # Errors
    /// The first of length, digits, prefix and check digit that does not hold.
    pub fn parse(text: &str) -> Result<Self, RucError> {
        Self::from_ascii(text.as_bytes()).map_err(|error| match error {
            // Only a refusal pays for naming the character rather than the byte.
            RucError::Length { .. } | RucError::NotADigit { .. } => text_error(text).unwrap_or(error),
            RucError::Prefix { .. } | RucError::CheckDigit { .. } => error,
        })
    }

    /// As [`Ruc::parse`], from bytes; evidence then names bytes instead of characters.
    ///
    /// # Errors
    /// As [`Ruc::parse`].
    pub fn from_ascii(bytes: &[u8]) -> Result<Self, RucError> {
        let digits: &[u8; 11] = bytes.try_into().map_err(|_| RucError::Length { found: bytes.len() })?;
        let mut number = 0_u64;
        for (index, &byte) in digits.iter().enumerate() {
            if !byte.is_ascii_digit() {
                return Err(RucError::NotADigit { position: index + 1, found: char::from(byte) });
            }
            number = number * 10 + u64::from(byte - b'0');
        }
        Self::try_from(number)
    }

    /// The kind of taxpayer.
    #[must_use]
    pub const fn kind(self) -> RucKind {
        match RucKind::from_prefix(self.prefix()) {
            Some(kind) => kind,
            // Not reached: no `Ruc` is built with another prefix.
            None => RucKind::LegalPerson,
        }
    }

    /// The first two digits.
    #[must_use]
    pub const fn prefix(self) -> u8 {
        (self.0.get() / 1_000_000_000) as u8
    }

    /// Digits 3 to 10 as a number, below 100,000,000.
    #[must_use]
    pub const fn body(self) -> u32 {
        (self.0.get() / 10 % 100_000_000) as u32
    }

    /// The number itself.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0.get()
    }

    /// The DNI inside a natural person's RUC, eight digits; `None` for every other kind.
    #[must_use]
    pub fn dni(self) -> Option<String> {
        (self.kind() == RucKind::NaturalPerson).then(|| format!("{:08}", self.body()))
    }

    /// Whether the number may belong to a natural person, so that logs must mask it (10, 15, 16, 17).
    #[must_use]
    pub const fn is_personal(self) -> bool {
        !matches!(self.kind(), RucKind::LegalPerson)
    }

    /// The RUC with this prefix and body, its check digit computed.
    ///
    /// # Errors
    /// [`RucError::Length`] if `body` has more than eight digits.
    pub fn from_parts(kind: RucKind, body: u32) -> Result<Self, RucError> {
        if body > 99_999_999 {
            return Err(RucError::Length { found: 3 + body.ilog10() as usize + 1 });
        }
        let first_ten = u64::from(kind.prefix()) * 100_000_000 + u64::from(body);
        Self::try_from(first_ten * 10 + u64::from(check_digit(first_ten)))
    }
}

/// The same refusal with its evidence in characters.
fn text_error(text: &str) -> Option<RucError> {
    let found = text.chars().count();
    if found != 11 {
        return Some(RucError::Length { found });
    }
    text.chars()
        .enumerate()
        .find(|(_, c)| !c.is_ascii_digit())
        .map(|(index, found)| RucError::NotADigit { position: index + 1, found })
}

/// The check digit that the first ten digits demand.
const fn check_digit(first_ten: u64) -> u8 {
    let mut rest = first_ten;
    let mut sum = 0_u32;
    let mut index = WEIGHTS.len();
    while index > 0 {
        index -= 1;
        #[allow(clippy::indexing_slicing, reason = "index < WEIGHTS.len()")]
        let weight = WEIGHTS[index];
        sum += (rest % 10) as u32 * weight;
        rest /= 10;
    }
    // 11 - (sum mod 11) is 1 to 11; 10 is written 0 and 11 is written 1.
    ((11 - sum % 11) % 10) as u8
}

impl TryFrom<u64> for Ruc {
    type Error = RucError;

    fn try_from(number: u64) -> Result<Self, RucError> {
        let length = number.checked_ilog10().map_or(1, |log| log as usize + 1);
        let (Some(value), 11) = (NonZeroU64::new(number), length.max(11)) else {
            return Err(RucError::Length { found: length });
        };
        let prefix = (number / 1_000_000_000) as u8;
        if RucKind::from_prefix(prefix).is_none() {
            return Err(RucError::Prefix { found: prefix });
        }
        let found = (number % 10) as u8;
        let expected = check_digit(number / 10);
        if found != expected {
            return Err(RucError::CheckDigit { found, expected });
        }
        Ok(Self(value))
    }
}

impl FromStr for Ruc {
    type Err = RucError;

    fn from_str(text: &str) -> Result<Self, RucError> {
        Self::parse(text)
    }
}

impl fmt::Display for Ruc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Masked for a person (`10******845`), in full for a company, so that a stray `{:?}` leaks nothing.
impl fmt::Debug for Ruc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_personal() {
            write!(f, "Ruc({}******{:03})", self.prefix(), self.0.get() % 1000)
        } else {
            write!(f, "Ruc({})", self.0)
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Ruc {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Ruc {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}
