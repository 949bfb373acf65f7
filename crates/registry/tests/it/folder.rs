//! Which editions the folder keeps, which one is current, and rollbacks.

use std::fs;

use kuraka_registry::{
    EditionWatcher, Guard, ImportError, ImportRequest, OpenError, Rollback, RollbackError, editions, open_current,
    rollback,
};

use crate::workspace::{Workspace, companies, company, date};

/// Imports padrones of 1000, 1001, … companies, one a day; returns their labels.
fn import_days(workspace: &Workspace, days: std::ops::Range<u32>) -> Vec<String> {
    days.map(|day| {
        let date = Some(date(&format!("2026-11-{:02}", day + 1)));
        let request = ImportRequest { date, ..workspace.request(&companies(1000 + day)) };
        workspace.try_import(&request).unwrap().label
    })
    .collect()
}

fn kept(workspace: &Workspace) -> Vec<(String, bool, bool)> {
    let kept = editions(&workspace.registry()).unwrap();
    kept.into_iter().map(|edition| (edition.meta.label, edition.current, edition.rolled_back)).collect()
}

fn opened(workspace: &Workspace) -> String {
    open_current(&workspace.registry()).unwrap().edition.unwrap().label().to_owned()
}

#[test]
fn a_folder_without_an_edition_opens() {
    let workspace = Workspace::new();
    let (watcher, report) = EditionWatcher::open(&workspace.registry()).unwrap();
    assert!(report.edition.is_none() && report.skipped.is_empty());
    assert!(watcher.open_new().unwrap().is_none());
    assert!(editions(&workspace.registry()).unwrap().is_empty());
    assert!(matches!(rollback(&workspace.registry()), Err(RollbackError::NoEdition)));
    let label = workspace.import(&companies(3)).label;
    assert_eq!(watcher.open_new().unwrap().unwrap().label(), label);
}

#[test]
fn three_editions_are_kept_newest_first() {
    let workspace = Workspace::new();
    let labels = import_days(&workspace, 0..5);
    let expected = [4, 3, 2].map(|day: usize| (labels[day].clone(), day == 4, false));
    assert_eq!(kept(&workspace), expected);
    let files = fs::read_dir(workspace.registry().join("editions")).unwrap().count();
    assert_eq!(files, 3);
}

#[test]
fn an_open_edition_answers_after_its_file_is_removed() {
    let workspace = Workspace::new();
    let mut labels = import_days(&workspace, 0..1);
    let (watcher, report) = EditionWatcher::open(&workspace.registry()).unwrap();
    let old = report.edition.unwrap();
    assert!(watcher.open_new().unwrap().is_none());
    labels.extend(import_days(&workspace, 1..6));
    let new = watcher.open_new().unwrap().unwrap();
    assert_eq!(new.label(), labels[5]);
    assert!(watcher.open_new().unwrap().is_none());
    assert_eq!(old.lookup(company(1001)), Ok(None));
    assert!(old.lookup(company(999)).unwrap().is_some(), "its file was removed meanwhile");
    assert!(new.lookup(company(1001)).unwrap().is_some());
}

#[test]
fn an_edition_rolled_back_from_needs_force_to_return() {
    let workspace = Workspace::new();
    let labels = import_days(&workspace, 0..3);
    let [first, second, third] = labels.try_into().unwrap();
    let (watcher, _) = EditionWatcher::open(&workspace.registry()).unwrap();
    let done = rollback(&workspace.registry()).unwrap();
    assert_eq!(done, Rollback { from: third.clone(), to: second.clone() });
    assert_eq!(watcher.open_new().unwrap().unwrap().label(), second);
    assert_eq!(kept(&workspace)[0], (third.clone(), false, true));

    let again = ImportRequest { date: Some(date("2026-11-03")), ..workspace.request(&companies(1002)) };
    match workspace.try_import(&again).unwrap_err() {
        ImportError::Guard(refusal) => assert_eq!(refusal.guard, Guard::RolledBack { label: third.clone() }),
        other => panic!("{other}"),
    }
    assert_eq!(opened(&workspace), second);

    assert_eq!(rollback(&workspace.registry()).unwrap(), Rollback { from: second.clone(), to: first.clone() });
    let error = rollback(&workspace.registry()).unwrap_err();
    assert!(matches!(error, RollbackError::NoPrevious { from } if from == first));

    workspace.try_import(&ImportRequest { force: true, ..again }).unwrap();
    assert_eq!(opened(&workspace), third);
    assert_eq!(kept(&workspace)[0], (third, true, false));
}

#[test]
fn a_damaged_current_edition_is_replaced_by_the_one_before() {
    let workspace = Workspace::new();
    let labels = import_days(&workspace, 0..3);
    let damaged = workspace.edition_path();
    let mut bytes = fs::read(&damaged).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::remove_file(&damaged).unwrap();
    fs::write(&damaged, &bytes).unwrap();

    let (watcher, report) = EditionWatcher::open(&workspace.registry()).unwrap();
    assert_eq!(report.edition.unwrap().label(), labels[1]);
    assert_eq!(report.skipped.len(), 1);
    assert_eq!(report.skipped[0].path, damaged);
    assert!(watcher.open_new().unwrap().is_none(), "reported at the start already");
    assert_eq!(rollback(&workspace.registry()).unwrap().to, labels[1]);
}

#[test]
fn a_damaged_new_edition_is_reported_once() {
    let workspace = Workspace::new();
    let labels = import_days(&workspace, 0..1);
    let (watcher, _) = EditionWatcher::open(&workspace.registry()).unwrap();
    import_days(&workspace, 1..2);
    fs::write(workspace.edition_path(), b"not an edition").unwrap();
    assert!(matches!(watcher.open_new(), Err(OpenError::Edition { .. })));
    assert!(watcher.open_new().unwrap().is_none());
    fs::remove_file(workspace.edition_path()).unwrap();
    assert!(matches!(watcher.open_new(), Err(OpenError::Edition { .. })));
    assert!(watcher.open_new().unwrap().is_none());
    assert_eq!(opened(&workspace), labels[0]);
}

#[test]
fn a_pointer_that_leaves_the_folder_is_not_followed() {
    let workspace = Workspace::new();
    let labels = import_days(&workspace, 0..1);
    for pointer in ["../../etc/passwd", "/etc/passwd.kuraka", "", "\0", "missing.kuraka"] {
        fs::write(workspace.registry().join("CURRENT"), pointer).unwrap();
        assert_eq!(opened(&workspace), labels[0], "{pointer:?}");
    }
}

#[test]
fn a_second_import_at_the_same_time_is_refused() {
    let workspace = Workspace::new();
    workspace.import(&companies(3));
    let lock = fs::File::options().append(true).open(workspace.registry().join("LOCK")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(workspace.refusal(&companies(4)), ImportError::Busy { .. }));
    assert!(matches!(rollback(&workspace.registry()), Err(RollbackError::Busy { .. })));
    drop(lock);
    workspace.import(&companies(4));
}

#[test]
fn the_files_of_an_interrupted_import_are_removed() {
    let workspace = Workspace::new();
    workspace.import(&companies(3));
    let leftover = workspace.registry().join("editions/2026-01-01-00000000.kuraka.tmp");
    fs::write(&leftover, b"half").unwrap();
    workspace.import(&companies(4));
    assert!(!leftover.exists());
}
