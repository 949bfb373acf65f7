//! Which editions a dataset's folder keeps, which one is current, and which one answers.

use std::fs;

use kuraka_registry::dataset::Dataset;
use kuraka_registry::{EditionWatcher, ImportError, PublishResult, RollbackError, rollback};

use crate::published::{KINDS, answer, company};
use crate::workspace::{Workspace, companies_of};

fn watcher(workspace: &Workspace, dataset: &'static Dataset) -> EditionWatcher {
    EditionWatcher::new(&workspace.registry(), dataset)
}

#[test]
fn a_folder_without_an_edition_opens() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let watcher = watcher(&workspace, dataset);
        let report = watcher.reopen().unwrap();
        assert!(report.edition.is_none() && report.skipped.is_empty());
        assert!(watcher.open_new().unwrap().is_none() && !watcher.refuses_current());
        assert_eq!(workspace.kept(dataset), []);
        assert!(matches!(rollback(&workspace.registry(), dataset), Err(RollbackError::NoEdition)));
        assert!(!workspace.registry().exists(), "a dataset that was never imported costs nothing");
        let label = workspace.import(dataset, &companies_of(dataset, 0..3)).label;
        assert_eq!(watcher.open_new().unwrap().unwrap().label(), label);
        assert!(watcher.open_new().unwrap().is_none());
    }
}

#[test]
fn three_editions_are_kept_newest_first() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let labels = workspace.import_days(dataset, 0..5);
        let expected = [4, 3, 2].map(|day: usize| (labels[day].clone(), day == 4, false));
        assert_eq!(workspace.kept(dataset), expected);
        assert_eq!(fs::read_dir(workspace.folder(dataset).join("editions")).unwrap().count(), 3);
    }
}

#[test]
fn an_open_edition_answers_after_its_file_is_removed() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let mut labels = workspace.import_days(dataset, 0..1);
        let watcher = watcher(&workspace, dataset);
        let old = watcher.reopen().unwrap().edition.unwrap();
        assert!(watcher.open_new().unwrap().is_none());
        labels.extend(workspace.import_days(dataset, 1..6));
        let new = watcher.open_new().unwrap().unwrap();
        assert_eq!(new.label(), labels[5]);
        assert!(watcher.open_new().unwrap().is_none());
        assert_eq!(answer(&old, company(101)), Ok(None));
        assert!(answer(&old, company(99)).unwrap().is_some(), "its file was removed meanwhile");
        assert!(answer(&new, company(101)).unwrap().is_some());
    }
}

#[test]
fn a_pointer_that_leaves_the_folder_is_not_followed() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let labels = workspace.import_days(dataset, 0..1);
        for pointer in ["../../etc/passwd", "/etc/passwd.kuraka", "", "\0", "missing.kuraka"] {
            fs::write(workspace.folder(dataset).join("CURRENT"), pointer).unwrap();
            assert_eq!(workspace.opened(dataset), labels[0], "{pointer:?}");
        }
    }
}

#[test]
fn an_import_of_a_kept_edition_mends_the_pointer() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        let first = workspace.import_days(dataset, 0..1).remove(0);
        let (pointer, edition) = (workspace.folder(dataset).join("CURRENT"), workspace.edition_path(dataset));
        for content in [companies_of(dataset, 0..100), fs::read(edition).unwrap()] {
            for garbled in ["", "missing.kuraka"] {
                fs::write(&pointer, garbled).unwrap();
                let report = workspace.import_on(dataset, 1, &content);
                assert_eq!((report.outcome, report.label), (PublishResult::Unchanged, first.clone()));
                assert_eq!(workspace.kept(dataset), [(first.clone(), true, false)]);
            }
            workspace.import_days(dataset, 1..2);
            let damaged = workspace.edition_path(dataset);
            fs::write(&damaged, "").unwrap();
            assert_eq!(workspace.import_on(dataset, 1, &content).outcome, PublishResult::Unchanged);
            assert_eq!(workspace.kept(dataset), [(first.clone(), true, false)], "its source went back to this edition");
            fs::remove_file(damaged).unwrap();
        }
    }
}

#[test]
fn a_second_import_at_the_same_time_is_refused() {
    for dataset in KINDS {
        let workspace = Workspace::new();
        workspace.import(dataset, &companies_of(dataset, 0..3));
        let lock = fs::File::options().append(true).open(workspace.folder(dataset).join("LOCK")).unwrap();
        lock.lock().unwrap();
        assert!(matches!(workspace.refusal(dataset, &companies_of(dataset, 0..4)), ImportError::Busy { .. }));
        assert!(matches!(rollback(&workspace.registry(), dataset), Err(RollbackError::Busy { .. })));
        // The other datasets are independent.
        let other = KINDS.into_iter().find(|other| other.name != dataset.name).unwrap();
        workspace.import(other, &companies_of(other, 0..3));
        drop(lock);
        workspace.import(dataset, &companies_of(dataset, 0..4));
    }
}
