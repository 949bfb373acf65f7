//! Lists that a builder recorded, on a server that has other ones.

use std::fs;

use kuraka_registry::changes::{FetchedList, adopt_lists, list_files};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::history::History;
use kuraka_registry::{Import, update_records};

use super::steps::{day, files, summary};
use super::{import, steps};
use crate::workspace::{Workspace, companies};

/// The builder's lists and their names.
fn lists_of(builder: &Workspace) -> (Vec<String>, Vec<FetchedList>) {
    let files = list_files(&builder.registry(), &PADRON).unwrap();
    let list = |file: std::path::PathBuf| FetchedList {
        name: file.file_name().unwrap().to_str().unwrap().to_owned(),
        file,
        written: None,
    };
    let lists: Vec<FetchedList> = files.into_iter().map(list).collect();
    (lists.iter().map(|list| list.name.clone()).collect(), lists)
}

fn fetch_lists(here: &Workspace, builder: &Workspace) {
    let (names, lists) = lists_of(builder);
    adopt_lists(&here.registry(), &PADRON, &names, &lists).unwrap();
}

fn fetch_edition(here: &Workspace, builder: &Workspace) {
    let file = fs::read(builder.edition_path(&PADRON)).unwrap();
    here.try_import(&PADRON, &Import { force: true, ..here.request(&file) }).unwrap();
}

#[test]
fn the_builders_list_is_taken_where_the_current_edition_is_damaged() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    for n in 1..=3 {
        day(&builder, n);
        fetch_lists(&here, &builder);
        fetch_edition(&here, &builder);
    }
    day(&builder, 4);
    fetch_lists(&here, &builder);
    fs::write(here.edition_path(&PADRON), "").unwrap();
    fetch_edition(&here, &builder);
    let found = ["2 01>02: 2", "3 02>03: 3", "4 03>04: 4"];
    assert_eq!(summary(&steps(&builder, &PADRON)), found);
    assert_eq!(summary(&steps(&here, &PADRON)), found);
}

#[test]
fn own_lists_stay_until_all_that_replace_them_are_verified() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    (1..=4).for_each(|n| day(&builder, n));
    (5..=7).for_each(|n| day(&here, n));
    let (names, mut lists) = lists_of(&builder);
    let (own, before) = (files(&here), summary(&steps(&here, &PADRON)));
    let cut = fs::read(&lists[2].file).unwrap();
    lists[2].file = here.file("cut", &cut[..cut.len() - 1]);
    assert!(adopt_lists(&here.registry(), &PADRON, &names, &lists).is_err());
    assert_eq!(files(&here), own, "nothing else is left");
    assert_eq!(summary(&steps(&here, &PADRON)), before);
    fetch_lists(&here, &builder);
    assert_eq!(summary(&steps(&here, &PADRON)), [""; 0], "its edition comes before the builder's record");
    assert_eq!(files(&here).len(), 3);
}

#[test]
fn a_history_goes_by_the_builders_lists_that_replace_its_own() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    day(&builder, 1);
    fetch_edition(&here, &builder);
    day(&builder, 2);
    day(&builder, 3);
    // The second one was not fetched: the list is of both days.
    fetch_edition(&here, &builder);
    fetch_lists(&here, &builder);
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
