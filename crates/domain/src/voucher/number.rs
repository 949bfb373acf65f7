//! A voucher's number within its series. Leading zeros are kept, because answers repeat the number as sent.

use core::fmt;

use crate::text::{check_digits, value_of};
use crate::text_value::{error_texts, text_value};

/// One to eight digits as written.
///
/// `7` and `00000007` are one voucher but different values; compare [`VoucherNumber::get`] to compare vouchers.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VoucherNumberError {
    /// Not one to eight characters.
    Length {
        /// Number of characters.
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

error_texts!(VoucherNumberError {
    Self::Length { found } => "a voucher's number has 1 to 8 digits, this has {found} characters";
    Self::NotADigit { position, found } =>
        "a voucher's number has ASCII digits only, position {position} holds {found:?}";
});

impl VoucherNumber {
    /// Reads one to eight ASCII digits, without trimming.
    ///
    /// # Errors
    /// The first check that fails, in the order length, digits.
    pub fn parse(text: &str) -> Result<Self, VoucherNumberError> {
        check_digits!(text, 1..=8, VoucherNumberError);
        Ok(Self { value: value_of(text), width: text.len() as u8 })
    }

    /// Below 100,000,000.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.value
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

text_value!(VoucherNumber, VoucherNumberError, Self::parse, "a voucher's number of 1 to 8 digits");
