//! Queries by day and kind of result.

use kuraka_domain::{Date, ResultCode};

use super::group::Group;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) date: Date,
    counts: [u64; Group::ALL.len()],
}

impl Day {
    pub(super) const fn empty(date: Date) -> Self {
        Self { date, counts: [0; Group::ALL.len()] }
    }

    pub(super) fn add(&mut self, code: ResultCode, count: u64) {
        for (group, sum) in Group::ALL.into_iter().zip(&mut self.counts) {
            if group == Group::from_code(code) {
                *sum = sum.saturating_add(count);
            }
        }
    }

    /// In the order of [`Group::ALL`].
    pub(super) fn parts(&self) -> impl Iterator<Item = (Group, u64)> {
        Group::ALL.into_iter().zip(self.counts)
    }

    pub(super) fn total(&self) -> u64 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}
