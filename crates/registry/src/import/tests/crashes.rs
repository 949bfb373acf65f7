//! Whatever file operation fails, the registry answers from a whole edition.

use std::fs;

use super::failing_disk::FailingDisk;
use super::workspace::{Workspace, day};
use crate::OpenEdition;
use crate::folder::disk::SystemDisk;
use crate::folder::{Folder, rollback_on};
use crate::publish::{Take, adopt_on};

/// The lists of changes after these days were published, after the days 1 to 4 or as the first.
fn chain(first: bool, published: &[u8]) -> Vec<String> {
    let before: &[u8] = if first { &[] } else { &[1, 2, 3, 4] };
    [before, published].concat().windows(2).map(|days| format!("{}>{}", days[0], days[1])).collect()
}

#[test]
fn any_failing_file_operation_of_an_import_leaves_a_whole_edition() {
    let before = Workspace::new();
    for old in 1..=4 {
        before.import(&SystemDisk, old, &day(u32::from(old))).unwrap();
    }
    for stays in [false, true] {
        for first in [true, false] {
            let mut states = [0; 2];
            for fail_at in 1.. {
                let workspace = if first { Workspace::new() } else { before.copy() };
                let disk = FailingDisk::new(fail_at, stays);
                let result = workspace.import(&disk, 5, &day(5));
                let (old, new) = ((!first).then(|| "4".to_owned()), Some("5".to_owned()));
                let found = workspace.day();
                assert!(found == old || found == new, "operation {fail_at}: {found:?}");
                assert!(result.is_err() || found == new, "operation {fail_at}: success without the edition");
                states[usize::from(found == new)] += 1;
                let published: &[u8] = if found == new { &[5] } else { &[] };
                assert_eq!(workspace.steps(), chain(first, published), "operation {fail_at}");
                workspace.import(&SystemDisk, 6, &day(6)).unwrap();
                assert_eq!(workspace.day().as_deref(), Some("6"), "operation {fail_at}: the next import");
                let leftovers = fs::read_dir(workspace.folder().join("editions")).unwrap().count();
                assert!(leftovers <= 3, "operation {fail_at}: {leftovers} files");
                let published: &[u8] = if found == new { &[5, 6] } else { &[6] };
                assert_eq!(workspace.steps(), chain(first, published), "operation {fail_at}: the next import");
                let lists = fs::read_dir(workspace.folder().join("changes")).unwrap().count();
                assert_eq!(lists, workspace.steps().len(), "operation {fail_at}: files in changes");
                if !disk.reached() {
                    break;
                }
            }
            assert!(states[0] > 10 && states[1] > 1, "{states:?}");
        }
    }
}

#[test]
fn any_failing_file_operation_of_an_adoption_leaves_a_whole_edition() {
    let (before, builder) = (Workspace::new(), Workspace::new());
    for old in 1..=4 {
        before.import(&SystemDisk, old, &day(u32::from(old))).unwrap();
    }
    let built = builder.import(&SystemDisk, 5, &day(5)).unwrap().label;
    let file = builder.folder().join(format!("editions/{built}.kuraka"));
    let mut states = [0; 2];
    for fail_at in 1.. {
        let workspace = before.copy();
        let fetched = workspace.0.path().join("fetched");
        fs::copy(&file, &fetched).unwrap();
        let disk = FailingDisk::new(fail_at, true);
        let result = adopt_on(&disk, &workspace.folder(), Take::Move(&fetched), None, false);
        let found = workspace.day().unwrap();
        assert!(found == "4" || found == "5", "operation {fail_at}: {found}");
        assert!(result.is_err() || found == "5", "operation {fail_at}: success without the edition");
        states[usize::from(found == "5")] += 1;
        let (old, new) = (chain(false, &[]), chain(false, &[5]));
        assert_eq!(workspace.steps(), if found == "5" { new.clone() } else { old }, "operation {fail_at}");
        fs::copy(&file, &fetched).unwrap();
        adopt_on(&SystemDisk, &workspace.folder(), Take::Move(&fetched), None, true).unwrap();
        assert_eq!(workspace.day().as_deref(), Some("5"), "operation {fail_at}: the next one");
        // Published again by force, if it was published.
        let again = chain(false, if found == "5" { &[5, 5] } else { &[5] });
        assert_eq!(workspace.steps(), again, "operation {fail_at}: the next one");
        if !disk.reached() {
            break;
        }
    }
    assert!(states[0] > 4 && states[1] > 1, "{states:?}");
}

#[test]
fn any_failing_file_operation_of_a_rollback_leaves_a_whole_edition() {
    for fail_at in 1.. {
        let workspace = Workspace::new();
        workspace.import(&SystemDisk, 1, &day(1)).unwrap();
        workspace.import(&SystemDisk, 2, &day(2)).unwrap();
        let disk = FailingDisk::new(fail_at, true);
        let result = rollback_on::<OpenEdition>(&disk, &Folder::new(&workspace.folder()), ());
        let found = workspace.day().unwrap();
        assert!(["1", "2"].contains(&found.as_str()));
        assert!(result.is_err() || found == "1");
        if !disk.reached() {
            assert_eq!(found, "1");
            break;
        }
    }
}
