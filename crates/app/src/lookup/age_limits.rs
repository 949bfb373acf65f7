//! The age from which an edition is too old to prove an absence.

use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_ports::{Clock, Edition, today};

use super::coverage::Coverage;

#[derive(Clone)]
pub struct AgeLimits {
    clock: Arc<dyn Clock>,
    days: Arc<[(&'static str, u32)]>,
}

impl AgeLimits {
    /// `days`: limits by dataset. Without a limit, any age is allowed.
    pub fn new(clock: Arc<dyn Clock>, days: impl IntoIterator<Item = (&'static str, u32)>) -> Self {
        Self { clock, days: days.into_iter().collect() }
    }

    /// The edition's age in days if it is too old. A sample never ages.
    pub fn too_old(&self, dataset: &str, edition: &Edition) -> Option<i32> {
        edition.overdue(self.clock.now(), self.limit(dataset))
    }

    /// `None` = any age.
    fn limit(&self, dataset: &str) -> Option<u32> {
        self.days.iter().find(|(name, _)| *name == dataset).map(|(_, days)| *days)
    }

    /// In Peru.
    pub(super) fn today(&self) -> Date {
        today(self.clock.now())
    }

    pub(super) fn coverage(&self, dataset: &str, today: Date) -> Coverage {
        Coverage { days: self.limit(dataset), today }
    }
}
