//! What the rows of a list, and the watched RUCs, are counted as.

use super::status_summary::Severity;

/// What a row is counted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bucket {
    Red,
    Amber,
    Unknown,
    Good,
}

impl Bucket {
    pub(super) const ALL: [Self; 4] = [Self::Red, Self::Amber, Self::Unknown, Self::Good];

    /// The bucket with this name in addresses.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bucket| bucket.name() == name)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Red => "rojo",
            Self::Amber => "mirar",
            Self::Unknown => "sin-dato",
            Self::Good => "conforme",
        }
    }

    /// What so many rows are called.
    pub(super) const fn words(self, count: u64) -> &'static str {
        match self {
            Self::Red => "en rojo",
            Self::Amber => "por mirar",
            Self::Unknown => "sin dato",
            Self::Good if count == 1 => "conforme",
            Self::Good => "conformes",
        }
    }

    pub(super) const fn tone(self) -> Severity {
        match self {
            Self::Red => Severity::Bad,
            Self::Amber => Severity::Warn,
            Self::Unknown => Severity::Unknown,
            Self::Good => Severity::Good,
        }
    }

    pub(super) const fn from_tone(tone: Severity) -> Self {
        match tone {
            Severity::Bad => Self::Red,
            Severity::Warn => Self::Amber,
            Severity::Unknown => Self::Unknown,
            Severity::Plain | Severity::Note | Severity::Good => Self::Good,
        }
    }
}
