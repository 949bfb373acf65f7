//! Ubigeo: the six-digit code of a district, in INEI's numbering.
//!
//! Two digits are the department, two the province, two the district. Provinces are numbered from 01 within their
//! department, districts within their province. RENIEC has another numbering for the same districts: 1,782 codes differ,
//! and 070101 is a district of Callao for INEI and one of Cusco for RENIEC. A code does not show which numbering it is
//! from. SUNAT's registry uses INEI's.
//!
//! The names come from a table of 1,892 districts, spelled as INEI spells them. New districts appear before the table
//! has them, so a code that is not in the table is still valid; its department follows from its first two digits.
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
use self::table::DISTRICTS;

/// A six-digit code whose first two digits are a department, 01 to 25.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ubigeo(u32);

/// Why a text is not a valid ubigeo.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UbigeoError {
    /// The text is not six ASCII digits.
    #[error("a ubigeo has six ASCII digits, this is {found:?}")]
    Form {
        /// The refused text.
        found: Box<str>,
    },
    /// The first two digits are not a department's.
    #[error("a ubigeo begins with a department from 01 to 25, this begins with {found:02}")]
    Department {
        /// The first two digits.
        found: u8,
    },
}

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

    /// The code with this number; `None` if it does not begin with a department.
    #[must_use]
    pub const fn from_number(number: u32) -> Option<Self> {
        if matches!(number / 10_000, 1..=25) { Some(Self(number)) } else { None }
    }

    /// Every code in the table, ascending.
    pub fn known() -> impl Iterator<Item = Self> {
        DISTRICTS.iter().map(|district| Self(district.code))
    }

    /// The department's name, upper case, without accents.
    #[must_use]
    pub fn department(self) -> &'static str {
        DEPARTMENTS.get(self.0 as usize / 10_000 - 1).copied().unwrap_or_default()
    }

    /// The province's name, upper case; `None` if it is not in the table.
    #[must_use]
    pub fn province(self) -> Option<&'static str> {
        let province = self.0 / 100;
        let first = DISTRICTS.partition_point(|district| district.code / 100 < province);
        DISTRICTS.get(first).filter(|district| district.code / 100 == province).map(|district| district.province)
    }

    /// The district's name, upper case; `None` if it is not in the table.
    #[must_use]
    pub fn district(self) -> Option<&'static str> {
        let index = DISTRICTS.binary_search_by_key(&self.0, |district| district.code).ok()?;
        DISTRICTS.get(index).map(|district| district.name)
    }

    /// An address with its district, province and department, joined by ` - `, as SUNAT's page is read. Parts that are
    /// empty or not in the table are left out.
    #[must_use]
    pub fn full_address(self, address: &str) -> String {
        let places = [self.district().unwrap_or_default(), self.province().unwrap_or_default(), self.department()];
        let mut full = address.to_owned();
        for place in places.into_iter().filter(|place| !place.is_empty()) {
            if !full.is_empty() {
                full.push_str(" - ");
            }
            full.push_str(place);
        }
        full
    }

    /// The code as a number, without its leading zero.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
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
