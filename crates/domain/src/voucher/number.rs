//! A voucher's sequential number within its series: one to eight ASCII digits.
//!
//! Answers repeat the number as the caller sent it, so leading zeros are kept.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A sequential number as it was written.
///
/// `7` and `00000007` are the same voucher but different values. Compare [`VoucherNumber::get`] to compare vouchers.
///
/// ```
/// use kuraka_domain::VoucherNumber;
///
/// let number: VoucherNumber = "00000007".parse()?;
/// assert_eq!(number.get(), 7);
/// assert_eq!(number.to_string(), "00000007");
/// # Ok::<(), kuraka_domain::VoucherNumberError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VoucherNumber {
    value: u32,
    width: u8,
}

/// Why a text is not a valid voucher number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VoucherNumberError {
    /// The text is empty or longer than eight characters.
    #[error("a voucher's number has 1 to 8 digits, this has {found} characters")]
    Length {
        /// Number of characters.
        found: usize,
    },
    /// A character is not an ASCII digit.
    #[error("a voucher's number has ASCII digits only, position {position} holds {found:?}")]
    NotADigit {
        /// Position in characters, from 1.
        position: usize,
        /// The character at this position.
        found: char,
    },
}

impl VoucherNumber {
    /// The numeric value, below 100,000,000.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.value
    }
}

impl FromStr for VoucherNumber {
    type Err = VoucherNumberError;

    fn from_str(text: &str) -> Result<Self, VoucherNumberError> {
        let found = text.chars().count();
        if !(1..=8).contains(&found) {
            return Err(VoucherNumberError::Length { found });
        }
        let mut number = Self { value: 0, width: 0 };
        for (index, found) in text.chars().enumerate() {
            if !found.is_ascii_digit() {
                return Err(VoucherNumberError::NotADigit { position: index + 1, found });
            }
            number.value = number.value * 10 + (found as u32 - '0' as u32);
            number.width += 1;
        }
        Ok(number)
    }
}

impl fmt::Display for VoucherNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0width$}", self.value, width = usize::from(self.width))
    }
}

impl fmt::Debug for VoucherNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VoucherNumber({self})")
    }
}

#[cfg(feature = "serde")]
crate::serde_text::as_text!(VoucherNumber, "a voucher's number of 1 to 8 digits");
