//! Ubigeo: the six-digit code of a district, in INEI's numbering.
//!
//! Two digits of department, two of province, two of district; districts and provinces are numbered from 01 within
//! what holds them. RENIEC numbers the same districts otherwise (1,782 of them differ, and 070101 is a district of
//! Callao here and one of Cusco there), and nothing in a code tells the two apart: know which one you hold.
//! The tax authority's registry uses INEI's.
//!
//! The names come from a table of 1,892 districts, spelled as INEI spells them. Districts are founded faster than
//! tables are printed, so a code that the table lacks is still a code: its department is known by its first two digits.
//!
//! This module refuses to know addresses.
//!
//! ```
//! use kuraka_domain::Ubigeo;
//!
//! let miraflores: Ubigeo = "150122".parse()?;
//! assert_eq!(miraflores.department(), "LIMA");
//! assert_eq!(miraflores.province(), Some("LIMA"));
//! assert_eq!(miraflores.district(), Some("MIRAFLORES"));
//!
//! let founded_later: Ubigeo = "240199".parse()?;
//! assert_eq!(founded_later.department(), "TUMBES");
//! assert_eq!(founded_later.district(), None);
//! # Ok::<(), kuraka_domain::UbigeoError>(())
//! ```

mod department;
mod table;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use self::department::{DEPARTMENTS, split_department};
use self::table::PROVINCES;

/// A six-digit code whose first two digits are a department, 01 to 25.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ubigeo(u32);

/// Why a text is not a ubigeo.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UbigeoError {
    /// Not six ASCII digits.
    #[error("a ubigeo has six ASCII digits, this is {found:?}")]
    Form {
        /// The text found.
        found: Box<str>,
    },
    /// The first two digits are no department.
    #[error("a ubigeo begins with a department from 01 to 25, this begins with {found:02}")]
    Department {
        /// The two digits found.
        found: u8,
    },
}

/// A row of the table: a province's four digits, its name, and its districts by their two digits, ascending.
type Province = (u16, &'static str, &'static [(u8, &'static str)]);

impl Ubigeo {
    /// Reads six ASCII digits.
    ///
    /// # Errors
    /// [`UbigeoError`].
    pub fn parse(text: &str) -> Result<Self, UbigeoError> {
        if text.len() != 6 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(UbigeoError::Form { found: text.into() });
        }
        let code = text.bytes().fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'));
        let department = (code / 10_000) as u8;
        if !(1..=25).contains(&department) {
            return Err(UbigeoError::Department { found: department });
        }
        Ok(Self(code))
    }

    /// Every code of the table, ascending.
    pub fn known() -> impl Iterator<Item = Self> {
        PROVINCES.iter().flat_map(|(province, _, districts)| {
            districts.iter().map(|(district, _)| Self(u32::from(*province) * 100 + u32::from(*district)))
        })
    }

    /// The department's name, upper case, without accents.
    #[must_use]
    pub fn department(self) -> &'static str {
        DEPARTMENTS.get(self.0 as usize / 10_000 - 1).copied().unwrap_or_default()
    }

    /// The province's name, upper case; `None` if the table lacks it.
    #[must_use]
    pub fn province(self) -> Option<&'static str> {
        self.row().map(|(_, name, _)| *name)
    }

    /// The district's name, upper case; `None` if the table lacks it.
    #[must_use]
    pub fn district(self) -> Option<&'static str> {
        let (_, _, districts) = self.row()?;
        let code = (self.0 % 100) as u8;
        let index = districts.binary_search_by_key(&code, |(code, _)| *code).ok()?;
        districts.get(index).map(|(_, name)| *name)
    }

    /// The code as a number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    fn row(self) -> Option<&'static Province> {
        let code = (self.0 / 100) as u16;
        let index = PROVINCES.binary_search_by_key(&code, |(code, _, _)| *code).ok()?;
        PROVINCES.get(index)
    }
}

impl FromStr for Ubigeo {
    type Err = UbigeoError;

    fn from_str(text: &str) -> Result<Self, UbigeoError> {
        Self::parse(text)
    }
}

impl fmt::Display for Ubigeo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:06}", self.0)
    }
}

impl fmt::Debug for Ubigeo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ubigeo({self})")
    }
}

#[cfg(feature = "serde")]
crate::serde_text::as_text!(Ubigeo, "a ubigeo of six digits");
