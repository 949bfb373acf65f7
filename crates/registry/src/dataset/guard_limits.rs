//! When a new edition is implausible.

use crate::GuardError;

/// A dataset's limits. Shares are in ten-thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuardLimits {
    /// Rows of a new edition, as a share of the previous edition's.
    pub rows_kept: u16,
    /// Refused lines that are never suspicious.
    pub rejected_free: u64,
    /// The share of refused lines above that number.
    pub rejected: u16,
    /// Taxpayers of a sample of the previous edition that a new edition has, as a share. Fewer: the file is another
    /// list under the same name.
    pub keys_kept: u16,
    /// Missing sampled taxpayers that are never suspicious, because the previous edition may be small.
    pub gone_free: u64,
}

impl GuardLimits {
    /// How many times a day's changes are plausible between editions that are this many days apart.
    pub fn scale(days: i32) -> u64 {
        u64::try_from(days).unwrap_or(0).clamp(1, 12)
    }

    /// The limits for an edition that is this many days younger. At most half of the rows or taxpayers may be gone,
    /// unless more may within a day.
    #[must_use]
    pub fn after(self, days: i32) -> Self {
        let kept = |kept: u16| {
            let gone = u64::from(10_000_u16.saturating_sub(kept)) * Self::scale(days);
            kept.min(10_000_u64.saturating_sub(gone).max(5_000) as u16)
        };
        Self { rows_kept: kept(self.rows_kept), keys_kept: kept(self.keys_kept), ..self }
    }

    pub(crate) fn check_rows(self, found: u64, previous: u64) -> Option<GuardError> {
        let has_shrunk = found.saturating_mul(10_000) < previous.saturating_mul(self.rows_kept.into());
        has_shrunk.then_some(GuardError::Shrunk { found, previous, least: self.rows_kept })
    }

    pub(crate) fn check_taxpayers(self, sampled: u64, present: u64) -> Option<GuardError> {
        let is_kept = present.saturating_mul(10_000) >= sampled.saturating_mul(self.keys_kept.into());
        let are_gone = !is_kept && sampled.saturating_sub(present) > self.gone_free;
        are_gone.then_some(GuardError::KeysGone { sampled, present, least: self.keys_kept })
    }

    pub(crate) fn check_lines(self, rejected: u64, lines: u64) -> Option<GuardError> {
        let Self { rejected_free: free, rejected: most, .. } = self;
        let are_many = rejected > free && rejected.saturating_mul(10_000) > lines.saturating_mul(most.into());
        are_many.then_some(GuardError::Rejected { rejected, lines, free, most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: GuardLimits =
        GuardLimits { rows_kept: 9_900, rejected_free: 100, rejected: 5, keys_kept: 5_000, gone_free: 20 };

    #[test]
    fn days_between_two_editions_allow_more_up_to_twelve_times() {
        let kept = |days| (LIMITS.after(days).rows_kept, LIMITS.after(days).keys_kept);
        let [none, one, three, month] = [-5, 1, 3, 30].map(kept);
        assert_eq!([none, one, three, month], [(9_900, 5_000), (9_900, 5_000), (9_700, 5_000), (8_800, 5_000)]);
        assert_eq!(GuardLimits { rows_kept: 9_000, ..LIMITS }.after(30).rows_kept, 5_000);
    }
}
