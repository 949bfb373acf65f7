//! The same rows give the same bytes.

use std::fs;

use super::workspace::{Workspace, company, padron};
use crate::OpenEdition;
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
