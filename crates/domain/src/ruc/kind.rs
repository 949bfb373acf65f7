//! The prefixes of a RUC.

/// The kind of taxpayer, by prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum RucKind {
    /// Prefix 10: a natural person with a DNI, which is digits 3 to 10.
    NaturalPerson = 10,
    /// Prefix 15: undivided estates, marital partnerships and others without a DNI of their own.
    Estate = 15,
    /// Prefix 16: accepted by SUNAT's validators, almost unknown to the registry.
    Special = 16,
    /// Prefix 17: natural persons with a foreign document.
    Foreigner = 17,
    /// Prefix 20: a legal person.
    LegalPerson = 20,
}

impl RucKind {
    /// Every kind, ordered by prefix.
    pub const ALL: [Self; 5] = [Self::NaturalPerson, Self::Estate, Self::Special, Self::Foreigner, Self::LegalPerson];

    /// The two-digit prefix.
    #[must_use]
    pub const fn prefix(self) -> u8 {
        self as u8
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
