//! Ubigeo: the six-digit code of a district, in INEI's numbering: two digits each for department, province and
//! district.
//!
//! RENIEC numbers the same districts differently: 1,782 codes differ, and 070101 is in Callao for INEI and in Cusco for
//! RENIEC. A code does not show its numbering; SUNAT's registry uses INEI's.
//!
//! The names of 1,892 provinces and districts are in the feature `districts`, as INEI spells them. A newer district is
//! not in the table, but its code is valid; its department follows from the first two digits.
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
#[cfg(feature = "districts")]
mod table;

#[cfg(feature = "districts")]
use alloc::{borrow::ToOwned, string::String};
use core::fmt;

pub use self::department::{DEPARTMENTS, split_department};
use crate::text::{check_digits, value_of};
use crate::text_value::{error_texts, text_value};

/// Six digits, of which the first two are a department, 01 to 25.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ubigeo(u32);

/// The first broken rule, in the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UbigeoError {
    /// The text does not have six characters.
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
    /// The first two digits are not a department.
    Department {
        /// The first two digits.
        found: u8,
    },
}

error_texts!(UbigeoError {
    Self::Length { found } => "a ubigeo has 6 digits, this has {found} characters";
    Self::NotADigit { position, found } => "a ubigeo has ASCII digits only, position {position} holds {found:?}";
    Self::Department { found } => "a ubigeo begins with a department from 01 to 25, this begins with {found:02}";
});

impl Ubigeo {
    /// Reads six ASCII digits.
    ///
    /// # Errors
    /// [`UbigeoError`].
    pub fn parse(text: &str) -> Result<Self, UbigeoError> {
        check_digits!(text, 6, UbigeoError);
        let code = value_of(text);
        Self::from_number(code).ok_or(UbigeoError::Department { found: (code / 10_000) as u8 })
    }

    /// `None` if the number does not begin with a department.
    #[must_use]
    pub const fn from_number(number: u32) -> Option<Self> {
        if matches!(number / 10_000, 1..=25) { Some(Self(number)) } else { None }
    }

    /// Upper case, without accents.
    #[must_use]
    pub fn department(self) -> &'static str {
        DEPARTMENTS.get(self.0 as usize / 10_000 - 1).copied().unwrap_or_default()
    }

    /// Without leading zero.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

#[cfg(feature = "districts")]
impl Ubigeo {
    /// Ascending.
    pub fn known() -> impl Iterator<Item = Self> {
        table::DISTRICTS.iter().map(|district| Self(district.code))
    }

    /// Upper case; `None` if it is not in the table.
    #[must_use]
    pub fn province(self) -> Option<&'static str> {
        let province = self.0 / 100;
        let first = table::DISTRICTS.partition_point(|district| district.code / 100 < province);
        let (name, _) = table::DISTRICTS.get(first).filter(|district| district.code / 100 == province)?.names()?;
        Some(name)
    }

    /// Upper case; `None` if it is not in the table.
    #[must_use]
    pub fn district(self) -> Option<&'static str> {
        let index = table::DISTRICTS.binary_search_by_key(&self.0, |district| district.code).ok()?;
        let (_, name) = table::DISTRICTS.get(index)?.names()?;
        Some(name)
    }

    /// The address with district, province and department, joined by ` - ` as on SUNAT's page. Empty and unknown parts
    /// are left out.
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

text_value!(Ubigeo, UbigeoError, Self::parse, "a ubigeo of six digits");
