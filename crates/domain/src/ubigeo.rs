//! Ubigeo: the six-digit code of a district, in INEI's numbering (not RENIEC's, which differs for 1,782 districts).
//!
//! Two digits of department, two of province, two of district. A code that the table lacks is still a code:
//! its department is known by its first two digits.

use std::fmt;

use thiserror::Error;

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

/// Names of the 25 departments, by code less one. Callao is a constitutional province that counts as one.
pub const DEPARTMENTS: [&str; 25] = [
    "AMAZONAS",
    "ANCASH",
    "APURIMAC",
    "AREQUIPA",
    "AYACUCHO",
    "CAJAMARCA",
    "CALLAO",
    "CUSCO",
    "HUANCAVELICA",
    "HUANUCO",
    "ICA",
    "JUNIN",
    "LA LIBERTAD",
    "LAMBAYEQUE",
    "LIMA",
    "LORETO",
    "MADRE DE DIOS",
    "MOQUEGUA",
    "PASCO",
    "PIURA",
    "PUNO",
    "SAN MARTIN",
    "TACNA",
    "TUMBES",
    "UCAYALI",
];

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

    /// The department's name, upper case, without accents.
    #[must_use]
    pub fn department(self) -> &'static str {
        DEPARTMENTS.get(self.0 as usize / 10_000 - 1).copied().unwrap_or_default()
    }

    /// The code as a number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
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
