//! The publications of a record: their order, rollbacks, gaps and removal.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use kuraka_domain::EditionOrigin;
use kuraka_registry::changes::{ChangeGapError, Publication, PublicationReader, list_files, remove_old_changes};
use kuraka_registry::dataset::{Dataset, PADRON, RETENCION};
use kuraka_registry::{Advance, Import, Progress, Stage, rollback};

use super::{FORMS, described, import, rows, steps, undone};
use crate::published::published;
use crate::workspace::{Workspace, date};

/// Number, `from` and `to` of each publication by the day, and how it is known.
pub(super) fn summary(steps: &[Publication]) -> Vec<String> {
    let day = |label: &str| label[8..10].to_owned();
    let line = |step: &Publication| {
        let how = match step.changes() {
            Ok(list) => list.facts().counts.total().to_string(),
            Err(gap) => gap.to_string(),
        };
        format!("{} {}>{}: {how}", step.to.number, day(&step.from.label), day(&step.to.label))
    };
    steps.iter().map(line).collect()
}

/// The file of a day, in which so many companies are named after the day.
fn rows_of_day(dataset: &Dataset, day: u32) -> Vec<u8> {
    published(dataset, (0..200).map(|n| (n, if n < day { day } else { 0 })))
}

pub(super) fn day(workspace: &Workspace, day: u32) {
    import(workspace, &PADRON, day, &rows_of_day(&PADRON, day));
}

#[test]
fn a_rollback_is_a_publication_with_a_list_of_its_own() {
    for dataset in FORMS {
        let workspace = Workspace::new();
        let day = |day| drop(import(&workspace, dataset, day, &rows_of_day(dataset, day)));
        day(1);
        day(2);
        let second = rows(&workspace.edition(dataset));
        day(3);
        let third = rows(&workspace.edition(dataset));
        rollback(&workspace.registry(), dataset).unwrap();
        let found = steps(&workspace, dataset);
        assert_eq!(summary(&found), ["2 01>02: 2", "3 02>03: 3", "4 03>02: 3"]);
        assert_eq!(undone(&found[2].changes().unwrap(), second.clone()), third);
        day(4);
        let found = steps(&workspace, dataset);
        assert_eq!(summary(&found)[2..], ["4 03>02: 3", "5 02>04: 4"]);
        assert_eq!(undone(&found[3].changes().unwrap(), rows(&workspace.edition(dataset))), second);
    }
}

#[test]
fn a_rollback_that_cannot_compare_is_told_by_the_reverse_of_an_earlier_list() {
    for dataset in FORMS {
        let workspace = Workspace::new();
        (1..=3).for_each(|n| drop(import(&workspace, dataset, n, &rows_of_day(dataset, n))));
        let third = rows(&workspace.edition(dataset));
        fs::write(workspace.edition_path(dataset), "damaged").unwrap();
        rollback(&workspace.registry(), dataset).unwrap();
        let found = steps(&workspace, dataset);
        assert_eq!(summary(&found), ["2 01>02: 2", "3 02>03: 3", "4 03>02: 3"]);
        assert_eq!(undone(&found[2].changes().unwrap(), rows(&workspace.edition(dataset))), third);
        import(&workspace, dataset, 4, &rows_of_day(dataset, 4));
        assert_eq!(summary(&steps(&workspace, dataset))[2..], ["4 03>02: 3", "5 02>04: 4"]);
        // Two rollbacks in a row leave no trace of the first one.
        for _ in 0..2 {
            fs::write(workspace.edition_path(dataset), "damaged").unwrap();
            rollback(&workspace.registry(), dataset).unwrap();
        }
        assert_eq!(summary(&steps(&workspace, dataset))[3..], ["5 02>04: 4", "7 04>01: no changes were recorded"]);
    }
}

#[test]
fn a_rollback_that_nothing_tells_is_a_gap() {
    let workspace = Workspace::new();
    (1..=3).for_each(|n| day(&workspace, n));
    fs::write(workspace.edition_path(&PADRON), "damaged").unwrap();
    fs::remove_file(&workspace.change_lists(&PADRON)[1]).unwrap();
    rollback(&workspace.registry(), &PADRON).unwrap();
    assert_eq!(summary(&steps(&workspace, &PADRON)), ["2 01>02: 2", "4 02>02: no changes were recorded"]);
    day(&workspace, 4);
    assert_eq!(summary(&steps(&workspace, &PADRON))[1..], ["4 02>02: no changes were recorded", "5 02>04: 4"]);
}

#[test]
fn the_same_editions_published_again_get_a_list_each() {
    let workspace = Workspace::new();
    for n in [1, 2, 1, 2, 2] {
        day(&workspace, n);
    }
    let whole = ["2 01>02: 2", "3 02>01: 2", "4 01>02: 2", "5 02>02: 0"];
    assert_eq!(summary(&steps(&workspace, &PADRON)), whole);
    // Two lists that lead there and back are missing.
    let all = workspace.change_lists(&PADRON);
    all[1..3].iter().for_each(|list| fs::remove_file(list).unwrap());
    let found = ["2 01>02: 2", "4 02>02: no changes were recorded", "5 02>02: 0"];
    assert_eq!(summary(&steps(&workspace, &PADRON)), found);
}

#[test]
fn a_missing_list_is_reported_and_hides_no_other() {
    let workspace = Workspace::new();
    (1..=5).for_each(|n| day(&workspace, n));
    fs::remove_file(&workspace.change_lists(&PADRON)[1]).unwrap();
    let mut found = vec!["2 01>02: 2", "3 02>03: no changes were recorded", "4 03>04: 4", "5 04>05: 5"];
    assert_eq!(summary(&steps(&workspace, &PADRON)), found);
    fs::remove_file(&workspace.change_lists(&PADRON)[2]).unwrap();
    found[3] = "5 04>05: no changes were recorded";
    assert_eq!(summary(&steps(&workspace, &PADRON)), found);
}

#[test]
fn a_list_of_an_unfinished_publication_is_not_shown_and_its_number_not_used_again() {
    let workspace = Workspace::new();
    (1..=3).for_each(|n| day(&workspace, n));
    let pointer = workspace.folder(&PADRON).join("CURRENT");
    let before = fs::read(&pointer).unwrap();
    day(&workspace, 4);
    fs::write(&pointer, before).unwrap();
    assert_eq!(summary(&steps(&workspace, &PADRON)), ["2 01>02: 2", "3 02>03: 3"]);
    assert_eq!(list_files(&workspace.registry(), &PADRON).unwrap(), workspace.change_lists(&PADRON)[..2]);
    day(&workspace, 5);
    assert_eq!(summary(&steps(&workspace, &PADRON)), ["2 01>02: 2", "3 02>03: 3", "5 03>05: 5"]);
    assert_eq!(workspace.change_lists(&PADRON).len(), 3);
}

#[test]
fn a_damaged_list_is_a_gap_with_its_reason_and_hides_no_other() {
    let workspace = Workspace::new();
    (1..=4).for_each(|n| day(&workspace, n));
    let second = &workspace.change_lists(&PADRON)[1];
    let good = fs::read(second).unwrap();
    let around = |gap: &str| vec!["2 01>02: 2".to_owned(), format!("3 02>03: {gap}"), "4 03>04: 4".to_owned()];
    let mut bad = good.clone();
    bad[180] ^= 1;
    fs::write(second, &bad).unwrap();
    assert_eq!(
        summary(&steps(&workspace, &PADRON)),
        around("the change list is damaged: the checksum of a block does not match")
    );
    fs::write(second, &good[..good.len() - 1]).unwrap();
    let gap = "the change list is damaged: its length is not the one in its header";
    assert_eq!(summary(&steps(&workspace, &PADRON)), around(gap));
    fs::write(second, "").unwrap();
    assert_eq!(summary(&steps(&workspace, &PADRON)), around("this is not a change list"));
    // What follows from the edition before the gap is not affected.
    day(&workspace, 5);
    assert_eq!(summary(&steps(&workspace, &PADRON)).last().map(String::as_str), Some("5 04>05: 5"));
}

#[test]
fn a_list_that_cannot_be_read_now_is_an_error_and_no_gap() {
    let workspace = Workspace::new();
    (1..=2).for_each(|n| day(&workspace, n));
    let list = &workspace.change_lists(&PADRON)[0];
    let good = fs::read(list).unwrap();
    fs::remove_file(list).unwrap();
    fs::create_dir(list).unwrap();
    let mut reader = PublicationReader::new(&workspace.registry(), &PADRON);
    let error = reader.read().unwrap_err().to_string();
    assert!(error.contains("000002-"), "{error}");
    fs::remove_dir(list).unwrap();
    fs::write(list, good).unwrap();
    assert_eq!(summary(&reader.read().unwrap().steps), ["2 01>02: 2"]);
}

/// Overwrites a byte of a file while an edition is built.
struct Damaging(PathBuf);

impl Progress for Damaging {
    fn advanced(&self, _advance: Advance) {}

    fn stage(&self, stage: Stage) {
        if stage == Stage::Index {
            let mut bytes = fs::read(&self.0).unwrap();
            bytes[1_000] ^= 1;
            fs::write(&self.0, bytes).unwrap();
        }
    }
}

#[test]
fn an_edition_damaged_meanwhile_makes_a_gap_not_a_failed_publication() {
    let workspace = Workspace::new();
    (1..=2).for_each(|n| day(&workspace, n));
    let damaging = Damaging(workspace.edition_path(&PADRON));
    let request = Import { date: Some(date("2026-11-03")), ..workspace.request(&rows_of_day(&PADRON, 0)) };
    let report = kuraka_registry::import(&workspace.registry(), &PADRON, &request, &damaging).unwrap();
    let reason = report.changes.unwrap().gap.unwrap();
    assert!(reason.starts_with("the previous edition cannot be read: section rows"), "{reason}");
    day(&workspace, 4);
    let found = summary(&steps(&workspace, &PADRON));
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[1], format!("3 02>03: the editions were not compared: {reason}"));
    assert!(matches!(&steps(&workspace, &PADRON)[1].changes(), Err(ChangeGapError::NotCompared(_))));
}

#[test]
fn a_list_is_against_the_edition_that_answers_while_the_current_one_is_damaged() {
    let workspace = Workspace::new();
    (1..=2).for_each(|n| day(&workspace, n));
    fs::write(workspace.edition_path(&PADRON), "damaged").unwrap();
    day(&workspace, 3);
    assert_eq!(summary(&steps(&workspace, &PADRON)), ["2 01>02: 2", "3 02>01: 2", "4 01>03: 3"]);
}

#[test]
fn the_sample_and_published_data_are_a_gap() {
    let workspace = Workspace::new();
    let request = workspace.request(&rows_of_day(&PADRON, 20));
    workspace.try_import(&PADRON, &Import { origin: EditionOrigin::Sample, ..request }).unwrap();
    day(&workspace, 21);
    let found = summary(&steps(&workspace, &PADRON));
    assert_eq!(found, ["2 20>21: the editions were not compared: the sample and published data are not compared"]);
}

#[test]
fn adopted_editions_record_their_changes() {
    for dataset in FORMS {
        let (builder, here) = (Workspace::new(), Workspace::new());
        for n in 1..=4 {
            import(&builder, dataset, n, &rows_of_day(dataset, n));
            let file = fs::read(builder.edition_path(dataset)).unwrap();
            let report = here.import(dataset, &file);
            assert_eq!(report.changes.map(|recorded| recorded.counts.changed), (n > 1).then_some(n.into()));
            // The same edition once more changes nothing.
            assert_eq!(here.import(dataset, &file).changes, None);
        }
        let [theirs, ours] = [&builder, &here].map(|workspace| {
            let steps = steps(workspace, dataset);
            (summary(&steps), steps.iter().map(|step| described(&step.changes().unwrap())).collect::<Vec<_>>())
        });
        assert_eq!(theirs.0, ["2 01>02: 2", "3 02>03: 3", "4 03>04: 4"]);
        assert_eq!(theirs, ours);
        rollback(&here.registry(), dataset).unwrap();
        let found = ["2 01>02: 2", "3 02>03: 3", "4 03>04: 4", "5 04>03: 4"];
        assert_eq!(summary(&steps(&here, dataset)), found);
        // Another dataset beside it changes nothing.
        let other = FORMS.into_iter().find(|other| other.name != dataset.name).unwrap();
        import(&here, other, 5, &rows_of_day(other, 5));
        assert_eq!((summary(&steps(&here, dataset)), steps(&here, other).len()), (found.map(str::to_owned).into(), 0));
    }
}

#[test]
fn a_publication_meanwhile_makes_no_gap() {
    let workspace = Workspace::new();
    (1..=2).for_each(|n| day(&workspace, n));
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            (3..=20).for_each(|n| day(&workspace, n));
            is_over.store(true, Ordering::Relaxed);
        });
        while !is_over.load(Ordering::Relaxed) {
            let found = summary(&steps(&workspace, &PADRON));
            assert!(!found.iter().any(|step| step.contains("no changes were recorded")), "{found:?}");
        }
    });
    assert_eq!(steps(&workspace, &PADRON).len(), 19);
}

#[test]
fn a_registry_without_lists_has_no_steps_and_no_gaps() {
    let workspace = Workspace::new();
    assert_eq!(summary(&steps(&workspace, &PADRON)), [""; 0]);
    day(&workspace, 1);
    assert_eq!(summary(&steps(&workspace, &PADRON)), [""; 0]);
    // A folder whose lists were removed by hand.
    fs::remove_dir(workspace.folder(&PADRON).join("changes")).unwrap();
    assert_eq!(summary(&steps(&workspace, &PADRON)), [""; 0]);
    assert_eq!(steps(&workspace, &RETENCION).len(), 0);
    day(&workspace, 2);
    assert_eq!(summary(&steps(&workspace, &PADRON)), ["2 01>02: 2"]);
}

/// Lets the lists have been written at noon UTC of this day.
fn written(workspace: &Workspace, day: &str) {
    let days = u64::try_from(date(day).days_since_epoch()).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400 + 43_200);
    for path in workspace.change_lists(&PADRON) {
        fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    }
}

#[test]
fn a_list_of_an_old_month_that_was_just_imported_stays() {
    let workspace = Workspace::new();
    (1..=3).for_each(|n| day(&workspace, n));
    written(&workspace, "2028-01-01");
    let remove = |today: &str| remove_old_changes(&workspace.registry(), &PADRON, date(today), 365).unwrap();
    assert_eq!(remove("2028-12-31"), 0);
    assert_eq!(remove("2029-01-01"), 1);
}

#[test]
fn lists_are_removed_by_date_independently_of_editions() {
    let workspace = Workspace::new();
    (1..=9).for_each(|n| day(&workspace, n));
    written(&workspace, "2026-11-01");
    let remove = |today: &str, days| remove_old_changes(&workspace.registry(), &PADRON, date(today), days).unwrap();
    assert_eq!(remove("2026-11-09", 365), 0);
    assert_eq!(remove("2027-11-04", 365), 2, "those of the 2nd and the 3rd");
    assert_eq!(summary(&steps(&workspace, &PADRON))[0], "4 03>04: 4");
    assert_eq!(remove("2026-11-09", 0), 5);
    assert_eq!(summary(&steps(&workspace, &PADRON)), ["9 08>09: 9"]);
    assert_eq!(remove("2027-01-01", 0), 0, "the last one stays");
    day(&workspace, 10);
    assert_eq!(remove("2027-01-01", 0), 1);
    assert_eq!(summary(&steps(&workspace, &PADRON)), ["10 09>10: 10"]);
}

#[test]
fn an_old_list_stays_while_it_is_the_last_one_that_is_published() {
    let workspace = Workspace::new();
    (1..=3).for_each(|n| day(&workspace, n));
    let pointer = workspace.folder(&PADRON).join("CURRENT");
    let before = fs::read(&pointer).unwrap();
    day(&workspace, 4);
    fs::write(&pointer, before).unwrap();
    written(&workspace, "2026-11-01");
    assert_eq!(remove_old_changes(&workspace.registry(), &PADRON, date("2028-01-01"), 365).unwrap(), 1);
    assert_eq!(summary(&steps(&workspace, &PADRON)), ["3 02>03: 3"]);
}
