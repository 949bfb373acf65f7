//! Whatever file operation fails, a dataset answers from a whole edition.

use std::fs;
use std::path::{Path, PathBuf};

use super::published::KINDS;
use super::workspace::Workspace;
use crate::Edition;
use crate::Import;
use crate::changes::{BuilderLists, FetchedList, adopt_lists, list_files};
use crate::checksum::checksum_of;
use crate::folder::disk::SystemDisk;
use crate::folder::tests::FailingDisk;
use crate::lifecycle::rollback::rollback_on;

/// The steps after these days were published, one after the other.
fn chain(days: &[u8]) -> Vec<(u8, u8)> {
    days.windows(2).map(|days| (days[0], days[1])).collect()
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn any_failing_file_operation_of_an_import_leaves_a_whole_edition() {
    for dataset in KINDS {
        let before = Workspace::with_days(dataset, 1..=4);
        for (stays, first) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut states = [0; 2];
            for fail_at in 1.. {
                let workspace = if first { Workspace::for_dataset(dataset) } else { before.copy() };
                let disk = FailingDisk::new(fail_at, stays);
                let result = workspace.publish(&disk, 5);
                let (old, new) = ((!first).then_some(4), Some(5));
                let found = workspace.day();
                let what = format!("{}, operation {fail_at}: {found:?}", dataset.name);
                assert!(found == old || found == new, "{what}");
                assert!(result.is_err() || found == new, "{what}: success without the edition");
                states[usize::from(found == new)] += 1;
                let mut days = if first { vec![] } else { vec![1, 2, 3, 4] };
                days.extend(new.filter(|_| found == new));
                assert_eq!(workspace.steps(), chain(&days), "{what}");
                if result.as_ref().is_ok_and(|report| report.history_error.is_none()) && dataset.history.is_some() {
                    assert_eq!(workspace.recorded(), days, "{what}");
                }
                workspace.publish(&SystemDisk, 6).unwrap();
                assert_eq!(workspace.day(), Some(6), "{what}: the next import");
                assert!(count(&workspace.folder().editions()) <= 3, "{what}: files are left");
                days.push(6);
                assert_eq!(workspace.steps(), chain(&days), "{what}: the next import");
                if dataset.history.is_some() {
                    assert_eq!(workspace.recorded(), days, "{what}: the next import");
                }
                let lists = count(&workspace.folder().changes());
                assert_eq!(lists, days.len() - 1, "{what}: files in changes");
                if !disk.reached() {
                    break;
                }
            }
            assert!(states[0] > 10 && states[1] > 1, "{}: {states:?}", dataset.name);
        }
    }
}

#[test]
fn any_failing_file_operation_of_an_adoption_leaves_a_whole_edition() {
    for dataset in KINDS {
        let before = Workspace::with_days(dataset, 1..=4);
        let built = fs::read(Workspace::with_days(dataset, [5]).current()).unwrap();
        let mut states = [0; 2];
        for fail_at in 1.. {
            let workspace = before.copy();
            let request = workspace.request(5, &built);
            let disk = FailingDisk::new(fail_at, true);
            let result = workspace.import(&disk, &request);
            let found = workspace.day();
            let what = format!("{}, operation {fail_at}: {found:?}", dataset.name);
            let days: &[u8] = if found == Some(5) { &[1, 2, 3, 4, 5] } else { &[1, 2, 3, 4] };
            assert_eq!(found, days.last().copied(), "{what}");
            assert!(result.is_err() || found == Some(5), "{what}: success without the edition");
            states[usize::from(found == Some(5))] += 1;
            assert_eq!(workspace.steps(), chain(days), "{what}");
            workspace.import(&SystemDisk, &Import { force: true, ..request.clone() }).unwrap();
            assert_eq!(workspace.day(), Some(5), "{what}: the next one");
            // Published again by force, if it was published.
            assert_eq!(workspace.steps(), chain(&[days, &[5]].concat()), "{what}: the next one");
            assert!(count(&workspace.folder().editions()) <= 3, "{what}: files are left");
            assert_eq!(fs::read(&request.source.path).unwrap(), built, "{what}: the fetched file stays");
            if !disk.reached() {
                break;
            }
        }
        assert!(states[0] > 4 && states[1] > 1, "{}: {states:?}", dataset.name);
    }
}

#[test]
fn any_failing_file_operation_of_a_rollback_leaves_a_whole_edition() {
    for dataset in KINDS {
        let before = Workspace::with_days(dataset, 1..=3);
        for stays in [false, true] {
            let (mut states, mut without_list) = ([0; 2], 0);
            for fail_at in 1.. {
                let workspace = before.copy();
                let disk = FailingDisk::new(fail_at, stays);
                let result = rollback_on(&disk, &workspace.folder(), None);
                let found = workspace.day();
                let what = format!("{}, operation {fail_at}: {found:?}", dataset.name);
                assert!([Some(2), Some(3)].contains(&found), "{what}");
                assert!(result.is_err() || found == Some(2), "{what}: success without the edition");
                states[usize::from(found == Some(2))] += 1;
                if found == Some(3) {
                    assert_eq!(workspace.steps(), chain(&[1, 2, 3]), "{what}");
                    rollback_on(&SystemDisk, &workspace.folder(), None).unwrap();
                    assert_eq!(workspace.day(), Some(2), "{what}: the next rollback");
                }
                // A list that cannot be written is no obstacle, and the reverse of the last one says the same.
                without_list += usize::from(count(&workspace.folder().changes()) == 2);
                assert_eq!(workspace.steps(), chain(&[1, 2, 3, 2]), "{what}");
                if dataset.history.is_some() {
                    assert_eq!(workspace.recorded(), [1, 2], "{what}");
                }
                if !disk.reached() {
                    break;
                }
            }
            assert!(states[0] > 3 && states[1] > 0, "{}: {states:?}", dataset.name);
            assert!(stays || without_list > 3, "{}: {without_list}", dataset.name);
        }
    }
}

#[test]
fn any_failing_file_operation_of_a_publication_of_the_same_label_leaves_the_record_whole() {
    for dataset in KINDS {
        let before = Workspace::with_days(dataset, 1..=3);
        let old = fs::read(before.current()).unwrap();
        let mut interrupted = 0;
        for fail_at in 1.. {
            let workspace = before.copy();
            let disk = FailingDisk::new(fail_at, true);
            let request = Import { force: true, ..workspace.day_request(3) };
            let result = workspace.import(&disk, &request);
            let what = format!("{}, operation {fail_at}", dataset.name);
            assert_eq!(workspace.day(), Some(3), "{what}");
            let is_replaced = fs::read(workspace.current()).unwrap() != old;
            interrupted += usize::from(is_replaced && result.is_err());
            workspace.publish(&SystemDisk, 4).unwrap();
            let days: &[u8] = if is_replaced { &[1, 2, 3, 3, 4] } else { &[1, 2, 3, 4] };
            assert_eq!(workspace.steps(), chain(days), "{what}: the next import");
            if dataset.history.is_some() {
                assert_eq!(workspace.recorded(), days, "{what}: the next import");
            }
            if !disk.reached() {
                break;
            }
        }
        assert!(interrupted > 1, "{}: {interrupted}", dataset.name);
    }
}

#[test]
fn any_failing_file_operation_of_fetched_lists_leaves_a_record_without_gaps() {
    for dataset in KINDS {
        let (before, builder) = (Workspace::with_days(dataset, 5..=7), Workspace::with_days(dataset, 1..=4));
        let list = |file: PathBuf| FetchedList {
            name: file.file_name().unwrap().to_str().unwrap().to_owned(),
            file,
            written: None,
        };
        let fetched: Vec<_> = list_files(&builder.registry(), dataset).unwrap().into_iter().map(list).collect();
        let names: Vec<_> = fetched.iter().map(|list| list.name.clone()).collect();
        let sums = fetched.iter().map(|list| (list.name.clone(), checksum_of(&list.file).unwrap()));
        let lists = BuilderLists { sha256: Some(sums.collect()), names, fetched };
        let new = Edition::open(dataset, &builder.current()).unwrap();
        let mut states = [0; 2];
        for fail_at in 1.. {
            let workspace = before.copy();
            let disk = FailingDisk::new(fail_at, true);
            let result = adopt_lists(&disk, &workspace.folder(), &lists, (None, &new));
            let what = format!("{}, operation {fail_at}", dataset.name);
            assert_eq!(workspace.day(), Some(7), "{what}");
            let steps = workspace.steps();
            assert!(steps == chain(&[5, 6, 7]) || steps.is_empty(), "{what}: {steps:?}");
            states[usize::from(steps.is_empty())] += 1;
            assert!(result.is_err() || steps.is_empty(), "{what}");
            adopt_lists(&SystemDisk, &workspace.folder(), &lists, (None, &new)).unwrap();
            assert_eq!((workspace.steps(), count(&workspace.folder().changes())), (vec![], 3), "{what}: the next time");
            if !disk.reached() {
                break;
            }
        }
        assert!(states[0] > 4 && states[1] > 4, "{}: {states:?}", dataset.name);
    }
}
