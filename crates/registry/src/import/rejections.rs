//! The reasons for refusing lines of the padrón, and their counts.

/// Why a line of the padrón is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectReason {
    /// The key is not a valid RUC.
    BadRuc,
    /// The name is empty.
    MissingName,
    /// The number of columns differs from the header's, and not because of a pipe in the name.
    FieldCount,
    /// A NUL byte.
    Nul,
    /// A byte that windows-1252 leaves undefined.
    UndefinedByte,
    /// The line is UTF-8.
    Utf8,
    /// Longer than 64 KiB.
    TooLong,
    /// The RUC was already seen; the first line wins.
    Duplicate,
}

impl RejectReason {
    /// Every reason, in the order reports list them.
    pub const ALL: [Self; 8] = [
        Self::BadRuc,
        Self::MissingName,
        Self::FieldCount,
        Self::Nul,
        Self::UndefinedByte,
        Self::Utf8,
        Self::TooLong,
        Self::Duplicate,
    ];

    /// The reason in a few words, for people.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadRuc => "not a valid RUC",
            Self::MissingName => "no name",
            Self::FieldCount => "wrong number of columns",
            Self::Nul => "NUL byte",
            Self::UndefinedByte => "byte undefined in windows-1252",
            Self::Utf8 => "UTF-8 instead of windows-1252",
            Self::TooLong => "longer than 64 KiB",
            Self::Duplicate => "RUC seen before",
        }
    }
}

/// Refused lines, counted by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rejections([u64; RejectReason::ALL.len()]);

impl Rejections {
    /// Lines refused for this reason.
    #[must_use]
    pub fn count(&self, reason: RejectReason) -> u64 {
        self.0.get(reason as usize).copied().unwrap_or(0)
    }

    /// All refused lines.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Reasons that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (RejectReason, u64)> + '_ {
        RejectReason::ALL.into_iter().map(|reason| (reason, self.count(reason))).filter(|&(_, count)| count > 0)
    }

    pub(crate) fn add(&mut self, reason: RejectReason, lines: u64) {
        if let Some(count) = self.0.get_mut(reason as usize) {
            *count += lines;
        }
    }
}
