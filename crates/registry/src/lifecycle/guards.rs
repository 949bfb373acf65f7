//! Whether a new edition is plausible after the current one.

use kuraka_domain::{Date, EditionOrigin};

use super::error::ImportError;
use super::parent::Parent;
use crate::dataset::{Dataset, GuardLimits};
use crate::folder::RolledBack;
use crate::{GuardError, Meta};

/// Changed taxpayers in a sample that are never suspicious.
const CHANGED_FREE: u64 = 100;
/// For each day between the editions.
const MAX_CHANGED_PERCENT_PER_DAY: u64 = 5;

/// The sampled taxpayers of the previous edition in the new one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SampleCounts {
    pub(super) present: u64,
    pub(super) changed: u64,
}

/// Without force, the first guard that refuses ends the publication; with it, they are collected.
pub(super) struct Guards {
    dataset: &'static Dataset,
    force: bool,
    pub(super) forced: Vec<GuardError>,
}

impl Guards {
    pub(super) const fn new(dataset: &'static Dataset, force: bool) -> Self {
        Self { dataset, force, forced: Vec::new() }
    }

    /// Rows that are left out unread do not excuse others.
    pub(super) fn check_lines(&mut self, rejected: u64, lines: u64) -> Result<(), ImportError> {
        self.enforce(self.dataset.guards.check_lines(rejected, lines))
    }

    pub(super) fn check(
        &mut self,
        new: &Meta,
        today: Date,
        current: Option<&Parent>,
        found: SampleCounts,
        rolled_back: &[RolledBack],
    ) -> Result<(), ImportError> {
        self.enforce((new.rows == 0).then_some(GuardError::NoRows))?;
        let is_future = new.date.days_since_epoch() > today.days_since_epoch() + 1;
        self.enforce(is_future.then_some(GuardError::Future { found: new.date }))?;
        let from = returned(new, current, rolled_back);
        self.enforce(from.map(|from| GuardError::RolledBack { label: from.label.clone() }))?;
        let Some(current) = current else { return Ok(()) };
        let old = &current.meta;
        if new.origin != old.origin {
            let is_sample = new.origin == EditionOrigin::Sample;
            return self.enforce(is_sample.then(|| GuardError::SampleOverPublished { current: old.label.clone() }));
        }
        self.enforce((new.date < old.date).then_some(GuardError::Older { found: new.date, current: old.date }))?;
        let days = new.date.days_since_epoch() - old.date.days_since_epoch();
        let limits = self.dataset.guards.after(days);
        self.enforce(limits.check_rows(new.rows, old.rows))?;
        let SampleCounts { present, changed } = found;
        self.enforce(limits.check_taxpayers(current.sample.len() as u64, present))?;
        // About 0.3 % of the padrón's taxpayers change in a day.
        let most = MAX_CHANGED_PERCENT_PER_DAY * GuardLimits::scale(days);
        let are_many = changed > CHANGED_FREE && changed * 100 > present * most;
        self.enforce(are_many.then_some(GuardError::ValuesChanged { compared: present, changed, most }))
    }

    fn enforce(&mut self, guard: Option<GuardError>) -> Result<(), ImportError> {
        let Some(guard) = guard else { return Ok(()) };
        if !self.force {
            return Err(ImportError::Guard { dataset: self.dataset.name, guard });
        }
        self.forced.push(guard);
        Ok(())
    }
}

/// The rolled-back edition that this one repeats: by label, or by file, which another date gives another label. The
/// current edition's own file is not to blame.
fn returned<'a>(new: &Meta, current: Option<&Parent>, from: &'a [RolledBack]) -> Option<&'a RolledBack> {
    let sha256 = &new.source.sha256;
    let is_current_file = current.is_some_and(|current| current.meta.source.sha256 == *sha256);
    let same = from.iter().find(|from| from.label == new.label);
    same.or_else(|| from.iter().find(|from| from.sha256 == *sha256 && !is_current_file))
}
