//! The past of a natural person is dropped when it is asked for, and not recorded again.

use std::fs;

use kuraka_domain::{Ruc, RucKind};
use kuraka_registry::changes::publications;
use kuraka_registry::dataset::PADRON;
use kuraka_registry::history::History;
use kuraka_registry::{ForgetError, Import, forget, update_records};

use crate::published::{company, file};
use crate::workspace::{Workspace, date};

fn person(n: u32) -> Ruc {
    Ruc::from_parts(RucKind::NaturalPerson, 40_000_000 + n).unwrap()
}

fn publish(workspace: &Workspace, day: u32) {
    let keys = (0..5).flat_map(|n| [company(n), person(n)]).map(|ruc| (ruc.to_string(), day));
    let date = Some(date(&format!("2026-11-{day:02}")));
    workspace.try_import(&PADRON, &Import { date, ..workspace.request(&file(&PADRON, keys)) }).unwrap();
}

/// How many lists tell a change of this RUC, and how many changes they tell.
fn told(workspace: &Workspace, ruc: Ruc) -> (usize, usize) {
    let lists = publications(&workspace.registry(), &PADRON).unwrap();
    let changes =
        lists.steps.iter().map(|step| step.changes().unwrap().changes().map(Result::unwrap).collect::<Vec<_>>());
    let changes: Vec<_> = changes.flatten().collect();
    (changes.iter().filter(|change| change.ruc == ruc).count(), changes.len())
}

fn states(workspace: &Workspace, ruc: Ruc) -> usize {
    let history = History::open(&workspace.registry(), &PADRON).unwrap();
    let edition = workspace.edition(&PADRON);
    history.summaries(&edition, history.place_of(&edition).unwrap(), ruc).unwrap().len()
}

#[test]
fn the_past_of_a_person_is_dropped_and_not_recorded_again() {
    let workspace = Workspace::new();
    (1..=3).for_each(|day| publish(&workspace, day));
    let written = || {
        let lists = fs::read_dir(workspace.folder(&PADRON).join("changes")).unwrap();
        let mut times: Vec<_> = lists.map(|list| list.unwrap().metadata().unwrap().modified().unwrap()).collect();
        times.sort();
        times
    };
    let before = (written(), workspace.edition(&PADRON).summary(person(2)).unwrap());
    assert_eq!((told(&workspace, person(2)), states(&workspace, person(2))), ((2, 20), 3));
    assert_eq!(forget(&workspace.registry(), person(2)).unwrap(), 2);
    assert_eq!((told(&workspace, person(2)), states(&workspace, person(2))), ((0, 18), 1));
    assert_eq!((written(), workspace.edition(&PADRON).summary(person(2)).unwrap()), before, "today's answer stays");
    publish(&workspace, 4);
    update_records(&workspace.registry(), &PADRON).unwrap();
    assert_eq!((told(&workspace, person(2)), states(&workspace, person(2))), ((0, 27), 1));
    assert_eq!((told(&workspace, person(1)), states(&workspace, person(1))), ((3, 27), 4), "others are told");
    assert!(History::open(&workspace.registry(), &PADRON).unwrap().has_forgotten(person(2)));
    // A history that is made anew of the lists says nothing more.
    fs::remove_file(History::path(&workspace.registry(), &PADRON)).unwrap();
    update_records(&workspace.registry(), &PADRON).unwrap();
    assert_eq!(states(&workspace, person(2)), 1);
    assert_eq!(forget(&workspace.registry(), person(2)).unwrap(), 0, "safe to repeat");
}

#[test]
fn only_a_person_of_a_registry_is_forgotten() {
    let workspace = Workspace::new();
    assert!(matches!(forget(&workspace.registry(), person(1)), Err(ForgetError::NoEdition)));
    publish(&workspace, 1);
    assert!(matches!(forget(&workspace.registry(), company(1)), Err(ForgetError::NoPerson(_))));
}
