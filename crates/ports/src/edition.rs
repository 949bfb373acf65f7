//! The facts of an edition, and its age.

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::{Date, EditionOrigin};

use crate::today;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    /// `YYYY-MM-DD-<8 hex digits of the file's hash>`, the edition's name in answers.
    pub label: Arc<str>,
    /// SHA-256 of the published file, 64 lower-case hex digits; `None` = only the label's digits are kept.
    pub digest: Option<Arc<str>>,
    pub date: Date,
    pub origin: EditionOrigin,
    pub rows: u64,
}

impl Edition {
    /// By Peru's calendar.
    pub fn age_days(&self, now: Timestamp) -> i32 {
        today(now).days_since_epoch() - self.date.days_since_epoch()
    }

    /// The age in days, if it is [too old](is_too_old); a sample never is.
    pub fn overdue(&self, now: Timestamp, limit_days: Option<u32>) -> Option<i32> {
        let is_published = self.origin == EditionOrigin::Published;
        Some(self.age_days(now)).filter(|&age| is_published && is_too_old(age, limit_days))
    }
}

/// Whether the age exceeds `limit_days` (`None` = no limit), or is negative: then the edition's date or the clock is
/// wrong.
pub fn is_too_old(age_days: i32, limit_days: Option<u32>) -> bool {
    limit_days.is_some_and(|limit| u32::try_from(age_days).map_or(true, |age| age > limit))
}
