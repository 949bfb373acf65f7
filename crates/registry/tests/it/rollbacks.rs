//! Rollbacks, and the files that they keep away.

use std::fs;

use kuraka_registry::{EditionWatcher, GuardError, Import, PublishResult, RollbackError, rollback};

use crate::published::KINDS;
use crate::workspace::{Workspace, companies_of, date, guard};

#[test]
fn an_edition_rolled_back_from_needs_force_to_return() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let [first, second, third] = workspace.import_days(dataset, 0..3).try_into().unwrap();
        let watcher = EditionWatcher::new(&workspace.registry(), dataset);
        watcher.reopen().unwrap();
        let done = rollback(&workspace.registry(), dataset).unwrap();
        assert_eq!((&done.from, &done.to), (&third, &second));
        assert_eq!(watcher.open_new().unwrap().unwrap().label(), second);
        assert_eq!(workspace.kept(dataset)[0], (third.clone(), false, true));

        let again = Import { date: Some(date("2026-11-03")), ..workspace.request(&companies_of(dataset, 0..102)) };
        let refused = guard(dataset, workspace.try_import(dataset, &again).unwrap_err());
        assert_eq!(refused, GuardError::RolledBack { label: third.clone() });
        assert_eq!(workspace.opened(dataset), second);

        let done = rollback(&workspace.registry(), dataset).unwrap();
        assert_eq!((&done.from, &done.to), (&second, &first));
        assert!(done.history_error.is_none(), "{:?}", done.history_error);
        let error = rollback(&workspace.registry(), dataset).unwrap_err();
        assert!(matches!(error, RollbackError::NoPrevious { from } if from == first));

        workspace.try_import(dataset, &Import { force: true, ..again }).unwrap();
        assert_eq!(workspace.opened(dataset), third);
        assert_eq!(workspace.kept(dataset)[0], (third, true, false));
    }
}

#[test]
fn a_garbled_list_of_rollbacks_keeps_its_readable_lines() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let bad = workspace.import_days(dataset, 0..2).remove(1);
        rollback(&workspace.registry(), dataset).unwrap();
        let path = workspace.folder(dataset).join("ROLLED_BACK");
        let text = [&b"\xff\xfe garbled\n"[..], &fs::read(&path).unwrap()].concat();
        fs::write(path, text).unwrap();
        let refused = guard(dataset, workspace.refusal(dataset, &companies_of(dataset, 0..101)));
        assert_eq!(refused, GuardError::RolledBack { label: bad });
    }
}

#[test]
fn a_file_that_was_rolled_back_is_refused_on_another_day_too() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let bad = workspace.import_days(dataset, 0..2).remove(1);
        rollback(&workspace.registry(), dataset).unwrap();
        let later = Import { date: Some(date("2026-11-05")), ..workspace.request(&companies_of(dataset, 0..101)) };
        let refused = guard(dataset, workspace.try_import(dataset, &later).unwrap_err());
        assert_eq!(refused, GuardError::RolledBack { label: bad.clone() });
        let forced = workspace.try_import(dataset, &Import { force: true, ..later }).unwrap();
        assert_eq!(forced.forced, [GuardError::RolledBack { label: bad }]);
        // By force it is current, so it is no longer refused; nor is another file.
        assert_eq!(workspace.import_on(dataset, 6, &companies_of(dataset, 0..101)).outcome, PublishResult::Published);
        workspace.import_on(dataset, 6, &companies_of(dataset, 0..103));
    }
}

#[test]
fn a_file_stays_refused_when_its_edition_is_removed() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let bad = workspace.import_days(dataset, 0..2).remove(1);
        let edition = fs::read(workspace.edition_path(dataset)).unwrap();
        rollback(&workspace.registry(), dataset).unwrap();
        (3..=6)
            .for_each(|day| drop(workspace.import_on(dataset, day, &companies_of(dataset, 0..100 + u32::from(day)))));
        assert!(workspace.kept(dataset).iter().all(|(label, ..)| *label != bad), "its edition is kept");
        let current = workspace.opened(dataset);
        for content in [&companies_of(dataset, 0..101), &edition] {
            for day in ["2026-11-02", "2026-11-07"] {
                let request = Import { date: Some(date(day)), ..workspace.request(content) };
                let refused = guard(dataset, workspace.try_import(dataset, &request).unwrap_err());
                assert_eq!(refused, GuardError::RolledBack { label: bad.clone() });
            }
        }
        assert_eq!(workspace.opened(dataset), current);
    }
}

#[test]
fn an_edition_of_a_file_that_was_rolled_back_is_not_adopted() {
    for dataset in KINDS {
        let (workspace, builder) = (Workspace::new(), Workspace::new());
        let bad = workspace.import_days(dataset, 0..2).remove(1);
        rollback(&workspace.registry(), dataset).unwrap();
        builder.import_on(dataset, 5, &companies_of(dataset, 0..101));
        let edition = fs::read(builder.edition_path(dataset)).unwrap();
        assert_eq!(guard(dataset, workspace.refusal(dataset, &edition)), GuardError::RolledBack { label: bad });
    }
}
