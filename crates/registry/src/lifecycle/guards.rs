//! Whether a new edition is plausible after the current one.

use kuraka_domain::Date;

use super::parent::Parent;
use crate::dataset::{Dataset, GuardLimits};
use crate::folder::RolledBack;
use crate::{GuardError, Meta, Origin, RefusedFileError};

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
    pub(super) fn check_lines(&mut self, rejected: u64, lines: u64) -> Result<(), RefusedFileError> {
        self.enforce(GuardError::check_lines(self.dataset.guards, rejected, lines))
    }

    pub(super) fn check(
        &mut self,
        new: &Meta,
        today: Date,
        current: Option<&Parent>,
        found: SampleCounts,
        rolled_back: &[RolledBack],
    ) -> Result<(), RefusedFileError> {
        self.enforce((new.rows == 0).then_some(GuardError::NoRows))?;
        let is_future = new.date.days_since_epoch() > today.days_since_epoch() + 1;
        self.enforce(is_future.then_some(GuardError::Future { found: new.date }))?;
        let from = returned(new, current, rolled_back);
        self.enforce(from.map(|from| GuardError::RolledBack { label: from.label.clone() }))?;
        let Some(current) = current else { return Ok(()) };
        let old = &current.meta;
        if new.origin != old.origin {
            let is_sample = new.origin == Origin::Sample;
            return self.enforce(is_sample.then(|| GuardError::SampleOverPublished { current: old.label.clone() }));
        }
        self.enforce((new.date < old.date).then_some(GuardError::Older { found: new.date, current: old.date }))?;
        let days = new.date.days_since_epoch() - old.date.days_since_epoch();
        let limits = self.dataset.guards.after(days);
        self.enforce(GuardError::check_rows(limits, new.rows, old.rows))?;
        let (sampled, SampleCounts { present, changed }) = (current.sample.len() as u64, found);
        let are_gone = limits.has_lost_taxpayers(sampled, present);
        self.enforce(are_gone.then_some(GuardError::KeysGone { sampled, present, least: limits.keys_kept }))?;
        // About 0.3 % of the padrón's taxpayers change in a day.
        let most = MAX_CHANGED_PERCENT_PER_DAY * GuardLimits::scale(days);
        let are_many = changed > CHANGED_FREE && changed * 100 > present * most;
        self.enforce(are_many.then_some(GuardError::ValuesChanged { compared: present, changed, most }))
    }

    fn enforce(&mut self, guard: Option<GuardError>) -> Result<(), RefusedFileError> {
        let Some(guard) = guard else { return Ok(()) };
        if !self.force {
            return Err(RefusedFileError { dataset: self.dataset.name, guard });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::EditionName;
    use crate::dataset::PADRON;
    use crate::index::SampledRow;
    use crate::{FileVersion, SourceMeta};

    fn meta(rows: u64, day: u8) -> Meta {
        let date = Date::new(2026, 11, day).unwrap();
        let version = FileVersion::unversioned("padron.zip");
        Meta {
            dataset: PADRON.name.to_owned(),
            label: format!("{date}-0a1b2c3d"),
            date,
            origin: Origin::Published,
            rows,
            rucs: rows,
            repeated: 0,
            left_out: 0,
            rejected: 0,
            source: SourceMeta { version, sha256: format!("file {rows}"), bytes: 1 },
            encoding: None,
            unknown_columns: Vec::new(),
            fields: Vec::new(),
            forced: Vec::new(),
        }
    }

    fn parent(rows: u64, sampled: usize) -> Parent {
        let meta = meta(rows, 20);
        let name = EditionName {
            number: 1,
            label: meta.label.clone(),
            date: meta.date,
            identity: String::new(),
            taxpayers: rows,
        };
        Parent { name, meta, has_names: true, sample: vec![SampledRow { row_id: 0, state: None }; sampled] }
    }

    #[track_caller]
    fn refused(new: &Meta, current: Option<&Parent>, present: u64, changed: u64, expected: Option<&str>) {
        let today = Date::new(2026, 11, 22).unwrap();
        let found = SampleCounts { present, changed };
        let mut guards = Guards::new(&PADRON, false);
        let result = guards.check(new, today, current, found, &[]).map_err(|refusal| refusal.guard.to_string());
        assert_eq!(result.err().as_deref(), expected);
    }

    #[test]
    fn guards_refuse_only_past_their_limit() {
        let current = parent(1000, 1000);
        let refuses =
            |rows, present, changed, expected| refused(&meta(rows, 21), Some(&current), present, changed, expected);
        refuses(990, 1000, 0, None);
        refuses(989, 1000, 0, Some("the file holds 989 rows, fewer than 99 % of the previous 1000"));
        refuses(1000, 995, 0, None);
        refuses(
            1000,
            994,
            0,
            Some("of 1000 taxpayers of the previous edition only 994 are present, fewer than 99.5 %"),
        );
        refuses(0, 0, 0, Some("the file holds no acceptable row"));
        refused(
            &meta(1000, 19),
            Some(&current),
            1000,
            0,
            Some("the file is dated 2026-11-19, before the active edition (2026-11-20)"),
        );
        let current = parent(10_000, 10_000);
        let refuses =
            |present, changed, expected| refused(&meta(10_000, 21), Some(&current), present, changed, expected);
        refuses(9_980, 499, None);
        let text =
            "of 9980 taxpayers in both editions 500 have another status or condition, more than 100 and more than 5 %";
        refuses(9_980, 500, Some(text));
        refuses(9_980, 9_980, Some(&text.replace("500", "9980")));
        let few = parent(100, 100);
        refused(&meta(100, 21), Some(&few), 100, 100, None);
    }

    #[test]
    fn a_day_after_tomorrow_is_refused() {
        refused(&meta(1, 23), None, 0, 0, None);
        refused(&meta(1, 24), None, 0, 0, Some("the file is of 2026-11-24, which is later than tomorrow"));
    }

    #[test]
    fn many_rejected_lines_in_a_small_file_are_suspicious() {
        let check = |rejected, lines| Guards::new(&PADRON, false).check_lines(rejected, lines);
        assert_eq!(check(100, 100), Ok(()));
        assert_eq!(check(101, 202_000), Ok(()));
        let refusal = check(101, 201_999).unwrap_err();
        let text = "padron: 101 of 201999 lines were rejected, more than 100 and more than 0.05 %";
        assert_eq!(refusal.to_string(), text);
    }

    #[test]
    fn force_records_the_overridden_guards() {
        let mut guards = Guards::new(&PADRON, true);
        let today = Date::new(2026, 11, 22).unwrap();
        assert_eq!(guards.check(&meta(0, 24), today, None, SampleCounts::default(), &[]), Ok(()));
        assert_eq!(guards.forced, [GuardError::NoRows, GuardError::Future { found: Date::new(2026, 11, 24).unwrap() }]);
    }

    #[test]
    fn a_file_that_was_rolled_back_from_is_refused_under_any_label() {
        let from = [RolledBack { label: "2026-11-01-00000000".to_owned(), sha256: "file 5".to_owned() }];
        let today = Date::new(2026, 11, 22).unwrap();
        let check = |new: &Meta, current: Option<&Parent>| {
            Guards::new(&PADRON, false).check(new, today, current, SampleCounts::default(), &from).is_err()
        };
        assert!(check(&meta(5, 21), None));
        assert!(!check(&meta(6, 21), None));
        assert!(!check(&meta(5, 21), Some(&parent(5, 0))), "the current edition was made from the same file");
        let same_label = Meta { label: from[0].label.clone(), ..meta(6, 21) };
        assert!(check(&same_label, None));
    }
}
