//! An amount in céntimos, without a currency: a JSON number without sign and exponent, with at most two decimals.

use core::fmt;

use crate::text::first_other;
use crate::text_value::{error_texts, text_value};

const INTEGER_DIGITS: usize = 12;

/// From 0 to below 10^12, exact to the céntimo. Printed with two decimals.
///
/// ```
/// use kuraka_domain::{Amount, AmountError};
///
/// let total: Amount = "1180.5".parse()?;
/// assert_eq!(total.centimos(), 118_050);
/// assert_eq!(total.to_string(), "1180.50");
/// assert_eq!("0.125".parse::<Amount>(), Err(AmountError::TooPrecise { decimals: 3 }));
/// assert!("-1".parse::<Amount>().is_err() && "1e3".parse::<Amount>().is_err());
/// # Ok::<(), AmountError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount {
    centimos: i64,
}

/// Why a text or a number of céntimos is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AmountError {
    /// Neither a digit nor the only point: a sign, an exponent, a blank, a separator.
    Character {
        /// Position in characters, from 1.
        position: usize,
        /// The character at this position.
        found: char,
    },
    /// Before or after the point.
    MissingDigit,
    /// In the integer part.
    LeadingZero,
    /// Zeros included.
    TooPrecise {
        /// Number of decimals.
        decimals: usize,
    },
    /// 10^12 or more, or negative.
    OutOfRange,
}

error_texts!(AmountError {
    Self::Character { position, found } =>
        "an amount is written as plain digits with at most one point, position {position} holds {found:?}";
    Self::MissingDigit => "an amount has a digit before its point and one after it, as in 0.50";
    Self::LeadingZero => "an amount has no leading zeros, as in 7.00 and 0.70";
    Self::TooPrecise { decimals } => "an amount has at most 2 decimals, this has {decimals}";
    Self::OutOfRange => "an amount is from 0 to 999999999999.99";
});

impl Amount {
    /// The amount 0.00.
    pub const ZERO: Self = Self { centimos: 0 };
    /// The largest amount, 999,999,999,999.99.
    pub const MAX: Self = Self { centimos: 99_999_999_999_999 };

    /// Reads an integer part and at most two decimals, without trimming.
    ///
    /// # Errors
    /// The first failing check, in the order of [`AmountError`]; but the integer part's range is checked before the
    /// decimals.
    pub fn parse(text: &str) -> Result<Self, AmountError> {
        let (integer, decimals) = text.split_once('.').map_or((text, None), |(i, d)| (i, Some(d)));
        let digits_only = |part: &str, offset: usize| match first_other(part, |c| c.is_ascii_digit()) {
            Some((position, found)) => Err(AmountError::Character { position: offset + position, found }),
            None => Ok(()),
        };
        digits_only(integer, 0)?;
        digits_only(decimals.unwrap_or_default(), integer.len() + 1)?;
        if integer.is_empty() || decimals == Some("") {
            return Err(AmountError::MissingDigit);
        }
        if integer.len() > 1 && integer.starts_with('0') {
            return Err(AmountError::LeadingZero);
        }
        if integer.len() > INTEGER_DIGITS {
            return Err(AmountError::OutOfRange);
        }
        let decimals = decimals.unwrap_or_default();
        let scale = match decimals.len() {
            0 => 100,
            1 => 10,
            2 => 1,
            decimals => return Err(AmountError::TooPrecise { decimals }),
        };
        // At most fourteen digits cannot overflow.
        let digits = integer.bytes().chain(decimals.bytes());
        Self::from_centimos(digits.fold(0, |sum, byte| sum * 10 + i64::from(byte - b'0')) * scale)
    }

    /// # Errors
    /// [`AmountError::OutOfRange`].
    pub const fn from_centimos(centimos: i64) -> Result<Self, AmountError> {
        if centimos < 0 || centimos > Self::MAX.centimos {
            return Err(AmountError::OutOfRange);
        }
        Ok(Self { centimos })
    }

    /// From 0 to below 10^14.
    #[must_use]
    pub const fn centimos(self) -> i64 {
        self.centimos
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.centimos / 100, self.centimos % 100)
    }
}

text_value!(Amount, AmountError, Self::parse, "an amount as text, such as \"118.00\"");
