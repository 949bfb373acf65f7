//! The tax authority's exchange rate: soles for one dollar, exact to the thousandth.
//!
//! It is read as a JSON number from 0.001 to 999.999 with at most three decimals, because the sources drop zeros, and
//! printed with three.

use core::fmt;

use crate::text_value::{error_texts, text_value};

/// Soles for one unit of a foreign currency, in thousandths.
///
/// ```
/// use kuraka_domain::{ExchangeRate, ExchangeRateError};
///
/// let rate: ExchangeRate = "3.36".parse()?;
/// assert_eq!(rate.thousandths(), 3_360);
/// assert_eq!(rate.to_string(), "3.360");
/// assert!("3.41642857142857".parse::<ExchangeRate>().is_err() && "n.d.".parse::<ExchangeRate>().is_err());
/// # Ok::<(), ExchangeRateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExchangeRate(u32);

/// The text is no exchange rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExchangeRateError;

error_texts!(ExchangeRateError {
    Self => "an exchange rate is from 0.001 to 999.999, with at most three decimals";
});

/// The two rates of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DayRates {
    /// What a bank pays for the currency (*compra*).
    pub buy: ExchangeRate,
    /// What a bank takes for it (*venta*).
    pub sell: ExchangeRate,
}

/// A foreign currency with an official exchange rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Currency {
    /// The United States dollar.
    Usd,
}

/// The text is no [`Currency`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CurrencyError;

error_texts!(CurrencyError {
    Self => "the currency is USD";
});

impl ExchangeRate {
    /// Reads a rate, without trimming.
    ///
    /// # Errors
    /// [`ExchangeRateError`].
    pub fn parse(text: &str) -> Result<Self, ExchangeRateError> {
        let (integer, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str| matches!(part.len(), 1..=3) && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(integer) || !is_number(decimals) || integer.len() > 1 && integer.starts_with('0') {
            return Err(ExchangeRateError);
        }
        let decimals = decimals.bytes().chain([b'0'; 3]).take(3);
        match integer.bytes().chain(decimals).fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0')) {
            0 => Err(ExchangeRateError),
            thousandths => Ok(Self(thousandths)),
        }
    }

    /// From 1 to 999,999.
    #[must_use]
    pub const fn thousandths(self) -> u32 {
        self.0
    }
}

impl Currency {
    /// Reads the code of ISO 4217.
    ///
    /// # Errors
    /// [`CurrencyError`].
    pub fn parse(text: &str) -> Result<Self, CurrencyError> {
        if text == Self::Usd.code() { Ok(Self::Usd) } else { Err(CurrencyError) }
    }

    /// The code of ISO 4217.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Usd => "USD",
        }
    }
}

impl fmt::Display for ExchangeRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1_000, self.0 % 1_000)
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

text_value!(ExchangeRate, ExchangeRateError, Self::parse, "an exchange rate");
text_value!(Currency, CurrencyError, Self::parse, "a currency");
