//! Lists that a builder recorded, on a server that has other ones.

use std::fs;

use kuraka_registry::changes::{BuilderLists, FetchedList, list_files};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::history::History;
use kuraka_registry::{Import, ImportReport, update_records};
use sha2::{Digest, Sha256};

use super::steps::{day, summary};
use super::{import, steps};
use crate::workspace::{Workspace, companies};

/// The builder's lists, of which those that are not here are fetched.
fn lists_of(builder: &Workspace, here: &Workspace, required: bool) -> BuilderLists {
    let files = list_files(&builder.registry(), &PADRON).unwrap();
    let list = |file: std::path::PathBuf| FetchedList {
        name: file.file_name().unwrap().to_str().unwrap().to_owned(),
        file,
        written: None,
    };
    let fetched: Vec<FetchedList> = files.into_iter().map(list).collect();
    let names = fetched.iter().map(|list| list.name.clone()).collect();
    let sum = |list: &FetchedList| (list.name.clone(), Sha256::digest(fs::read(&list.file).unwrap()).into());
    let sha256 = required.then(|| fetched.iter().map(sum).collect());
    let mut lists = BuilderLists { names, fetched, sha256 };
    let missing = lists.missing(&here.registry(), &PADRON).unwrap();
    lists.fetched.retain(|list| missing.contains(&list.name));
    lists
}

fn fetch(here: &Workspace, builder: &Workspace, lists: Option<BuilderLists>) -> ImportReport {
    let file = fs::read(builder.edition_path(&PADRON)).unwrap();
    here.try_import(&PADRON, &Import { force: true, lists, ..here.request(&file) }).unwrap()
}

fn fetch_all(here: &Workspace, builder: &Workspace, required: bool) -> ImportReport {
    fetch(here, builder, Some(lists_of(builder, here, required)))
}

#[test]
fn the_builders_list_is_taken_where_the_current_edition_is_damaged() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    for n in 1..=3 {
        day(&builder, n);
        fetch_all(&here, &builder, false);
    }
    day(&builder, 4);
    fs::write(here.edition_path(&PADRON), "").unwrap();
    fetch_all(&here, &builder, false);
    let found = ["2 01>02: 2", "3 02>03: 3", "4 03>04: 4"];
    assert_eq!(summary(&steps(&builder, &PADRON)), found);
    assert_eq!(summary(&steps(&here, &PADRON)), found);
}

#[test]
fn own_lists_stay_until_all_that_replace_them_are_verified() {
    let (builder, whole) = (Workspace::new(), Workspace::new());
    (1..=4).for_each(|n| day(&builder, n));
    (5..=7).for_each(|n| day(&whole, n));
    let report = fetch_all(&whole, &builder, true);
    assert!(report.lists_error.is_none(), "{:?}", report.lists_error);
    assert_eq!(summary(&steps(&whole, &PADRON)), ["2 01>02: 2", "3 02>03: 3", "4 03>04: 4"]);
    assert_eq!(whole.change_lists(&PADRON).len(), 3);
    for (damaged, required) in [(None, false), (Some(2), true), (Some(1), true), (Some(0), false)] {
        let here = Workspace::new();
        (5..=7).for_each(|n| day(&here, n));
        let (own, mut lists) = (here.change_lists(&PADRON), lists_of(&builder, &here, required));
        if let Some(list) = damaged {
            let cut = fs::read(&lists.fetched[list].file).unwrap();
            lists.fetched[list].file = here.file("cut", &cut[..cut.len() - 1]);
        }
        let report = fetch(&here, &builder, Some(lists));
        assert_eq!(report.lists_error.is_some(), damaged.is_some());
        let kept = here.change_lists(&PADRON);
        let is_kept = own.iter().filter(|file| kept.contains(file)).count();
        // With the second one damaged, the verified last one replaces nothing that is older.
        assert_eq!((is_kept, kept.len()), (2, 3), "{damaged:?}, {required}: {kept:?}");
        let said = summary(&steps(&here, &PADRON));
        assert_eq!(said[..2], ["2 05>06: 6", "3 06>07: 7"], "{damaged:?}, {required}");
    }
}

#[test]
fn a_list_that_cannot_be_verified_is_refused_where_checksums_are_required() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    day(&builder, 1);
    fetch_all(&here, &builder, true);
    (2..=3).for_each(|n| day(&builder, n));
    let mut lists = lists_of(&builder, &here, true);
    lists.sha256.as_mut().unwrap().remove(&lists.names[0]);
    let report = fetch(&here, &builder, Some(lists));
    assert!(report.lists_error.unwrap().to_string().contains("no SHA-256 is required"));
    day(&builder, 4);
    let mut lists = lists_of(&builder, &here, true);
    lists.sha256.as_mut().unwrap().values_mut().for_each(|sum| *sum = [0; 32]);
    let report = fetch(&here, &builder, Some(lists));
    assert!(report.lists_error.as_ref().unwrap().to_string().contains("not the required one"));
    assert_eq!(summary(&steps(&here, &PADRON)).last().unwrap(), "4 03>04: 4", "compared here");
    assert_eq!(
        lists_of(&builder, &here, true).missing(&Workspace::new().registry(), &PADRON).unwrap().len(),
        3,
        "they may have checksums"
    );
    let without = BuilderLists { sha256: Some(Default::default()), ..lists_of(&builder, &here, true) };
    assert_eq!(without.missing(&Workspace::new().registry(), &PADRON).unwrap(), [""; 0], "they are not even fetched");
}

#[test]
fn a_second_file_of_a_name_does_not_replace_the_verified_one() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    (1..=3).for_each(|n| day(&builder, n));
    let mut lists = lists_of(&builder, &here, true);
    let forged = here.file("forged", &fs::read(&lists.fetched[0].file).unwrap());
    lists.fetched.push(FetchedList { file: forged, ..lists.fetched[1].clone() });
    fetch(&here, &builder, Some(lists));
    assert_eq!(summary(&steps(&here, &PADRON)), ["2 01>02: 2", "3 02>03: 3"]);
}

#[test]
fn an_index_that_names_few_lists_removes_nothing() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    for n in 1..=4 {
        day(&builder, n);
        fetch_all(&here, &builder, true);
    }
    let before = here.change_lists(&PADRON);
    day(&builder, 5);
    let mut lists = lists_of(&builder, &here, true);
    // The first one, which is here, and the last one.
    lists.names.drain(1..3);
    fetch(&here, &builder, Some(lists));
    assert_eq!(here.change_lists(&PADRON)[..3], before);
    assert_eq!(summary(&steps(&here, &PADRON)).len(), 4);
}

#[test]
fn a_history_goes_by_the_builders_lists_that_replace_its_own() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    day(&builder, 1);
    fetch(&here, &builder, None);
    (2..=3).for_each(|n| day(&builder, n));
    // The second one was not fetched: the list is of both days.
    fetch(&here, &builder, None);
    day(&builder, 4);
    fetch_all(&here, &builder, true);
    update_records(&here.registry(), &PADRON).unwrap();
    let [theirs, own] = [&builder, &here].map(|of| History::open(&of.registry(), &PADRON).unwrap().editions().to_vec());
    assert_eq!(own, theirs);
}

#[test]
fn an_edition_that_was_published_again_in_part_keeps_its_history() {
    let workspace = Workspace::new();
    (1..=2).for_each(|n| day(&workspace, n));
    import(&workspace, &PADRON, 3, &companies(200));
    let pointer = workspace.folder(&PADRON).join("CURRENT");
    let before = fs::read(&pointer).unwrap();
    import(&workspace, &PADRON, 3, &companies(200));
    // The process ended before it replaced `CURRENT`.
    fs::write(&pointer, before).unwrap();
    update_records(&workspace.registry(), &PADRON).unwrap();
    let history = History::open(&workspace.registry(), &PADRON).unwrap();
    let days: Vec<u8> = history.editions().iter().map(|edition| edition.date.day()).collect();
    assert_eq!(days, [1, 2, 3, 3]);
}
