//! The same rows give the same bytes.

use std::fs;
use std::io::Read;

use flate2::read::GzDecoder;
use kuraka_domain::{Ruc, RucKind};

use super::workspace::{Workspace, company, padron};
use crate::OpenEdition;
use crate::dataset::padron::COLUMNS;
use crate::folder::disk::SystemDisk;

#[test]
fn an_unchanged_row_has_the_same_bytes_in_the_next_edition() {
    let workspace = Workspace::new();
    let first = workspace.import(&SystemDisk, 1, &padron((0..300).map(|n| (n, 1)))).unwrap();
    // New rows come first, in another order, and a third changed: a fresh dictionary would number otherwise.
    let next = (0..320).rev().map(|n| (n, if n % 3 == 0 { 2 } else { 1 }));
    let second = workspace.import(&SystemDisk, 2, &padron(next)).unwrap();
    let (old, new) = (workspace.edition(&first.label), workspace.edition(&second.label));
    for n in 0..300 {
        let same = old.record(company(n)).unwrap() == new.record(company(n)).unwrap();
        assert_eq!(same, n % 3 != 0, "company {n}");
    }
    let words = |edition: &OpenEdition| edition.dictionary().map(<[u8]>::to_vec).collect::<Vec<_>>();
    assert!(words(&new).starts_with(&words(&old)) && words(&new).len() > words(&old).len());
}

#[test]
fn the_same_input_over_the_same_parent_gives_the_same_file() {
    let files: Vec<Vec<u8>> = (0..2)
        .map(|_| {
            let workspace = Workspace::new();
            workspace.import(&SystemDisk, 1, &padron((0..300).map(|n| (n, 1)))).unwrap();
            let second = workspace.import(&SystemDisk, 2, &padron((0..310).map(|n| (n, n % 7)))).unwrap();
            fs::read(workspace.folder().join(format!("editions/{}.kuraka", second.label))).unwrap()
        })
        .collect();
    assert!(files[0] == files[1]);
}

#[test]
fn an_unchanged_row_keeps_its_bytes_over_an_edition_of_version_1() {
    let workspace = Workspace::new();
    let editions = workspace.folder().join("editions");
    fs::create_dir_all(&editions).unwrap();
    let recorded = include_bytes!("../../../tests/fixtures/edition_of_version_1.kuraka.gz");
    let mut bytes = Vec::new();
    GzDecoder::new(recorded.as_slice()).read_to_end(&mut bytes).unwrap();
    fs::write(editions.join("2026-11-20-d35335d6.kuraka"), bytes).unwrap();
    fs::write(workspace.folder().join("CURRENT"), "2026-11-20-d35335d6.kuraka\n").unwrap();
    let old = workspace.edition("2026-11-20-d35335d6");
    // The invented persons of the recorded edition, every second one with another condition, after a new person.
    let person = |n: u32| {
        let kinds = [RucKind::NaturalPerson, RucKind::Estate, RucKind::Special, RucKind::Foreigner];
        Ruc::from_parts(kinds[n as usize % 4], n * n * 6007 % 100_000_000).unwrap()
    };
    let mut text = COLUMNS.join("|");
    let columns = "-|".repeat(11);
    text.push_str(&format!("|\n{}|UNA PERSONA NUEVA|ACTIVO|HABIDO|{columns}", company(1)));
    for n in (0..120).rev() {
        let condition = if n % 2 == 0 { "NO HALLADO" } else { "HABIDO" };
        text.push_str(&format!("\n{}|PERSONA INVENTADA {n}|ACTIVO|{condition}|{columns}", person(n)));
    }
    let padron = encoding_rs::WINDOWS_1252.encode(&text).0.into_owned();
    let report = workspace.import_forced(&SystemDisk, 21, &padron).unwrap();
    let new = workspace.edition(&report.label);
    assert_eq!(new.rows(), 121);
    for n in 0..120 {
        let (before, after) = (old.record(person(n)).unwrap(), new.record(person(n)).unwrap());
        assert_eq!(before == after, n % 2 == 1, "person {n}");
    }
    assert!(old.dictionary().eq(new.dictionary().take(old.dictionary().count())));
}
