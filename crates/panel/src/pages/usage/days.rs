//! Days of queries, by outcome.

use kuraka_domain::{Date, ResultCode};

use super::Group;

/// The queries of one operation on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) date: Date,
    counts: [u64; Group::ALL.len()],
}

impl Day {
    /// Without queries.
    pub(super) const fn empty(date: Date) -> Self {
        Self { date, counts: [0; Group::ALL.len()] }
    }

    /// Counts some more.
    pub(super) fn add(&mut self, code: ResultCode, count: u64) {
        for (group, sum) in Group::ALL.into_iter().zip(&mut self.counts) {
            if group == Group::of(code) {
                *sum = sum.saturating_add(count);
            }
        }
    }

    /// Queries by outcome, in the order of [`Group::ALL`].
    pub(super) fn parts(&self) -> impl Iterator<Item = (Group, u64)> {
        Group::ALL.into_iter().zip(self.counts)
    }

    /// Queries of the day.
    pub(super) fn total(&self) -> u64 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}
