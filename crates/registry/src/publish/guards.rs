//! When a guard refuses, and whether it is overridden.

use kuraka_domain::Date;
use thiserror::Error;

use super::guard::Guard;
use crate::Origin;
use crate::dataset::GuardLimits;
use crate::folder::RolledBack;

/// Taxpayers of the previous padrón that a new one has, in ten-thousandths.
pub(crate) const PADRON_KEYS_KEPT: u16 = 9_950;
/// Taxpayers whose status or condition may change in a sample without suspicion.
const CHANGED_FREE: u64 = 100;
/// Old taxpayers looked for in a new edition, and compared with it.
pub(crate) const SAMPLED: u64 = 10_000;

/// What became of the sampled taxpayers of the previous edition.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) sampled: u64,
    /// Sampled taxpayers in the new edition.
    pub(crate) present: u64,
    /// Present taxpayers with another status or condition.
    pub(crate) changed: u64,
}

/// A guard that refuses a file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{dataset}: {guard}")]
pub struct Refusal {
    /// The dataset's name.
    pub dataset: &'static str,
    /// The guard.
    pub guard: Guard,
}

/// Collects the guards that refuse. Without force, the first one ends the publication.
pub(crate) struct Guards {
    dataset: &'static str,
    force: bool,
    pub(crate) forced: Vec<Guard>,
}

impl Guards {
    pub(crate) const fn new(dataset: &'static str, force: bool) -> Self {
        Self { dataset, force, forced: Vec::new() }
    }

    /// Fails with the guard, or records it as overridden.
    pub(crate) fn object(&mut self, objection: Option<Guard>) -> Result<(), Refusal> {
        match objection {
            Some(guard) if self.force => self.forced.push(guard),
            Some(guard) => return Err(Refusal { dataset: self.dataset, guard }),
            None => {}
        }
        Ok(())
    }
}

/// Refuses an edition without rows.
pub(crate) fn no_rows(rows: u64) -> Option<Guard> {
    (rows == 0).then_some(Guard::NoRows)
}

/// Refuses fewer rows than the least share of the previous ones.
pub(crate) fn shrunk(limits: GuardLimits, found: u64, previous: u64) -> Option<Guard> {
    let least = limits.rows_kept;
    limits.has_shrunk(found, previous).then_some(Guard::Shrunk { found, previous, least })
}

/// Refuses an edition older than the current one.
pub(crate) fn older(found: Date, current: Date) -> Option<Guard> {
    (found < current).then_some(Guard::Older { found, current })
}

/// Refuses an edition that an operator rolled back, and another one of the same file. `sha256` is the file's checksum,
/// `current` that of the current edition's.
pub(crate) fn rolled_back(label: &str, sha256: &str, current: Option<&str>, from: &RolledBack) -> Option<Guard> {
    from.find(label, sha256, current).map(|label| Guard::RolledBack { label: label.to_owned() })
}

/// Refuses the sample as a replacement of real data.
pub(crate) fn sample_over_published(origin: Origin, current: &str) -> Option<Guard> {
    (origin == Origin::Sample).then(|| Guard::SampleOverPublished { current: current.to_owned() })
}

/// Refuses more rejected lines than are plausible.
pub(crate) fn rejected(limits: GuardLimits, rejected: u64, lines: u64) -> Option<Guard> {
    let GuardLimits { rejected_free: free, rejected: most, .. } = limits;
    limits.has_too_many_rejects(rejected, lines).then_some(Guard::Rejected { rejected, lines, free, most })
}

/// Refuses fewer than the `least` share of the sampled old taxpayers, in ten-thousandths.
pub(crate) fn keys_gone(found: Comparison, least: u16) -> Option<Guard> {
    let Comparison { sampled, present, .. } = found;
    let is_plausible = present * 10_000 >= sampled * u64::from(least);
    (!is_plausible).then_some(Guard::KeysGone { sampled, present, least })
}

/// Refuses more changed values than 100 and than 5 % of the sampled old taxpayers. About 0.3 % change in a day.
pub(crate) fn values_changed(found: Comparison) -> Option<Guard> {
    let Comparison { present: compared, changed, .. } = found;
    (changed > CHANGED_FREE && changed * 20 > compared).then_some(Guard::ValuesChanged { compared, changed })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: GuardLimits = GuardLimits { rows_kept: 9_900, rejected_free: 100, rejected: 5 };

    #[test]
    fn guards_object_only_past_their_limit() {
        assert_eq!(shrunk(LIMITS, 990, 1000), None);
        let guard = Guard::Shrunk { found: 989, previous: 1000, least: 9_900 };
        assert_eq!(shrunk(LIMITS, 989, 1000), Some(guard.clone()));
        assert_eq!(guard.to_string(), "the file holds 989 rows, fewer than 99 % of the previous 1000");
        let found = |sampled, present, changed| Comparison { sampled, present, changed };
        assert_eq!(keys_gone(found(1000, 995, 0), 9_950), None);
        let guard = Guard::KeysGone { sampled: 1000, present: 994, least: 9_950 };
        assert_eq!(keys_gone(found(1000, 994, 0), 9_950), Some(guard));
        assert_eq!(values_changed(found(10_000, 9_980, 499)), None);
        let guard = Guard::ValuesChanged { compared: 9_980, changed: 500 };
        assert_eq!(values_changed(found(10_000, 9_980, 500)), Some(guard));
        assert_eq!(values_changed(found(100, 100, 100)), None);
        assert_eq!(no_rows(1), None);
        assert_eq!(no_rows(0), Some(Guard::NoRows));
    }

    #[test]
    fn many_rejected_lines_in_a_small_file_are_suspicious() {
        assert_eq!(rejected(LIMITS, 100, 100), None);
        assert_eq!(rejected(LIMITS, 101, 202_000), None);
        let guard = Guard::Rejected { rejected: 101, lines: 201_999, free: 100, most: 5 };
        assert_eq!(guard.to_string(), "101 of 201999 lines were rejected, more than 100 and more than 0.05 %");
        assert_eq!(rejected(LIMITS, 101, 201_999), Some(guard));
    }

    #[test]
    fn force_records_the_overridden_guards() {
        let mut guards = Guards::new("anexos", true);
        assert_eq!(guards.object(Some(Guard::NoRows)), Ok(()));
        assert_eq!(guards.object(None), Ok(()));
        assert_eq!(guards.forced, [Guard::NoRows]);
        let refusal = Guards::new("anexos", false).object(Some(Guard::NoRows)).unwrap_err();
        assert_eq!(refusal.to_string(), "anexos: the file holds no acceptable row");
    }
}
