//! What the rows of a list, and the watched RUCs, are counted as.

use super::status_summary::Severity;

impl Severity {
    /// Worst first.
    pub(super) const BUCKETS: [Self; 4] = [Self::Bad, Self::Warn, Self::Unknown, Self::Good];

    /// What it is counted as: no finding is good.
    pub(super) fn bucket(self) -> Self {
        self.max(Self::Good)
    }

    /// The bucket with this name in addresses.
    pub(super) fn bucket_named(name: &str) -> Option<Self> {
        Self::BUCKETS.into_iter().find(|bucket| bucket.name() == name)
    }

    /// In addresses. A note is news of watched RUCs.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Bad => "rojo",
            Self::Warn => "mirar",
            Self::Unknown => "sin-dato",
            Self::Note => "novedades",
            Self::Good | Self::Plain => "conforme",
        }
    }

    /// What so many rows are called.
    pub(super) const fn words(self, count: u64) -> &'static str {
        match self {
            Self::Bad => "en rojo",
            Self::Warn => "por mirar",
            Self::Unknown => "sin dato",
            Self::Note if count == 1 => "con novedad",
            Self::Note => "con novedades",
            Self::Good | Self::Plain if count == 1 => "conforme",
            Self::Good | Self::Plain => "conformes",
        }
    }
}
