//! When a guard refuses, and whether it is overridden.

use kuraka_domain::Date;

use super::guard::Guard;
use crate::Origin;

/// Rejected lines up to this many are never suspicious.
const REJECTED_FREE: u64 = 100;
/// Old taxpayers looked for in a new edition.
pub(crate) const SAMPLED: u64 = 1000;

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
pub(crate) fn keys_gone(sampled: u64, present: u64) -> Option<Guard> {
    (present * 1000 < sampled * 995).then_some(Guard::KeysGone { sampled, present })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_object_only_past_their_limit() {
        assert_eq!(shrunk(990, 1000), None);
        assert_eq!(shrunk(989, 1000), Some(Guard::Shrunk { found: 989, previous: 1000 }));
        assert_eq!(keys_gone(1000, 995), None);
        assert_eq!(keys_gone(1000, 994), Some(Guard::KeysGone { sampled: 1000, present: 994 }));
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
