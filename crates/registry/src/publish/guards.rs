//! When a guard refuses, and whether it is overridden.

use kuraka_domain::Date;

use super::guard::Guard;
use crate::Origin;

/// Rejected lines up to this many are never suspicious.
const REJECTED_FREE: u64 = 100;
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

/// Collects the guards that refuse. Without force, the first one ends the publication.
pub(crate) struct Guards {
    force: bool,
    pub(crate) forced: Vec<Guard>,
}

impl Guards {
    pub(crate) const fn new(force: bool) -> Self {
        Self { force, forced: Vec::new() }
    }

    /// Fails with the guard, or records it as overridden.
    pub(crate) fn object(&mut self, objection: Option<Guard>) -> Result<(), Guard> {
        match objection {
            Some(guard) if self.force => self.forced.push(guard),
            Some(guard) => return Err(guard),
            None => {}
        }
        Ok(())
    }
}

/// Refuses an edition without rows.
pub(crate) fn no_rows(rows: u64) -> Option<Guard> {
    (rows == 0).then_some(Guard::NoRows)
}

/// Refuses fewer than 99 % of the previous rows.
pub(crate) fn shrunk(found: u64, previous: u64) -> Option<Guard> {
    (found.saturating_mul(100) < previous.saturating_mul(99)).then_some(Guard::Shrunk { found, previous })
}

/// Refuses an edition older than the current one.
pub(crate) fn older(found: Date, current: Date) -> Option<Guard> {
    (found < current).then_some(Guard::Older { found, current })
}

/// Refuses an edition that an operator rolled back.
pub(crate) fn rolled_back(label: &str, rolled_back: &[String]) -> Option<Guard> {
    rolled_back.iter().any(|from| from == label).then(|| Guard::RolledBack { label: label.to_owned() })
}

/// Refuses the sample as a replacement of real data.
pub(crate) fn sample_over_published(origin: Origin, current: &str) -> Option<Guard> {
    (origin == Origin::Sample).then(|| Guard::SampleOverPublished { current: current.to_owned() })
}

/// Refuses more rejected lines than 100 and than 0.05 % of all lines.
pub(crate) fn rejected(rejected: u64, lines: u64) -> Option<Guard> {
    (rejected > REJECTED_FREE && rejected.saturating_mul(2000) > lines).then_some(Guard::Rejected { rejected, lines })
}

/// Refuses fewer than 99.5 % of the sampled old taxpayers.
pub(crate) fn keys_gone(found: Comparison) -> Option<Guard> {
    let Comparison { sampled, present, .. } = found;
    (present * 1000 < sampled * 995).then_some(Guard::KeysGone { sampled, present })
}

/// Refuses more changed values than 100 and than 5 % of the sampled old taxpayers. About 0.3 % change in a day.
pub(crate) fn values_changed(found: Comparison) -> Option<Guard> {
    let Comparison { present: compared, changed, .. } = found;
    (changed > CHANGED_FREE && changed * 20 > compared).then_some(Guard::ValuesChanged { compared, changed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_object_only_past_their_limit() {
        assert_eq!(shrunk(990, 1000), None);
        assert_eq!(shrunk(989, 1000), Some(Guard::Shrunk { found: 989, previous: 1000 }));
        let found = |sampled, present, changed| Comparison { sampled, present, changed };
        assert_eq!(keys_gone(found(1000, 995, 0)), None);
        assert_eq!(keys_gone(found(1000, 994, 0)), Some(Guard::KeysGone { sampled: 1000, present: 994 }));
        assert_eq!(values_changed(found(10_000, 9_980, 499)), None);
        let guard = Guard::ValuesChanged { compared: 9_980, changed: 500 };
        assert_eq!(values_changed(found(10_000, 9_980, 500)), Some(guard));
        assert_eq!(values_changed(found(100, 100, 100)), None);
        assert_eq!(no_rows(1), None);
        assert_eq!(no_rows(0), Some(Guard::NoRows));
    }

    #[test]
    fn many_rejected_lines_in_a_small_file_are_suspicious() {
        assert_eq!(rejected(100, 100), None);
        assert_eq!(rejected(101, 202_000), None);
        assert_eq!(rejected(101, 201_999), Some(Guard::Rejected { rejected: 101, lines: 201_999 }));
    }

    #[test]
    fn force_records_the_overridden_guards() {
        let mut guards = Guards::new(true);
        assert_eq!(guards.object(Some(Guard::NoRows)), Ok(()));
        assert_eq!(guards.object(None), Ok(()));
        assert_eq!(guards.forced, [Guard::NoRows]);
        assert_eq!(Guards::new(false).object(Some(Guard::NoRows)), Err(Guard::NoRows));
    }
}
