//! The same rows give the same bytes.

use std::fs;

use super::published::{KINDS, company, published};
use super::workspace::Workspace;
use crate::Edition;
use crate::folder::disk::SystemDisk;

#[test]
fn an_unchanged_row_has_the_same_bytes_in_the_next_edition() {
    for dataset in KINDS {
        let workspace = Workspace::for_dataset(dataset);
        let import = |day, content: &[u8]| {
            workspace.import(&SystemDisk, &workspace.request(day, content)).unwrap();
            workspace.edition()
        };
        let old = import(1, &published(dataset, (0..300).map(|n| (n, 1))));
        // New rows come first, in another order, and a third changed: a fresh dictionary would number otherwise.
        let next = (0..320).rev().map(|n| (n, if n % 3 == 0 { 2 } else { 1 }));
        let new = import(2, &published(dataset, next));
        for n in 0..300 {
            let same = old.record(company(n)).unwrap() == new.record(company(n)).unwrap();
            assert_eq!(same, n % 3 != 0, "{}, company {n}", dataset.name);
        }
        let words = |edition: &Edition| edition.dictionary().map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert!(words(&new).starts_with(&words(&old)) && words(&new).len() > words(&old).len());
    }
}

#[test]
fn the_same_input_over_the_same_parent_gives_the_same_file() {
    for dataset in KINDS {
        let files = [(); 2].map(|()| {
            let workspace = Workspace::for_dataset(dataset);
            for (day, count, marks) in [(1, 300, 1), (2, 310, 7)] {
                let content = published(dataset, (0..count).map(|n| (n, n % marks)));
                workspace.import(&SystemDisk, &workspace.request(day, &content)).unwrap();
            }
            fs::read(workspace.current()).unwrap()
        });
        assert!(files[0] == files[1], "{}", dataset.name);
    }
}
