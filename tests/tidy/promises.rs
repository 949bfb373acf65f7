//! Every row of tests/PROMISES.md has an id of its own, whose letter the page explains, and names the tests that
//! guard it; these tests exist.

use std::collections::BTreeSet;

use crate::markdown::table_rows;
use crate::tree::{Finding, Tree};

const PAGE: &str = "tests/PROMISES.md";
/// Head of the column that names the guards as `path.rs::test_name`. Ids are in the first column.
const COLUMN: &str = "guarded by";
/// Head of the table that explains the letters of the ids.
const LETTER: &str = "letter";

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    let (mut explained, mut ids) = (BTreeSet::new(), BTreeSet::new());
    let (mut head, mut next) = (Vec::new(), 0);
    let mut has_promises = false;
    for (line, cells) in table_rows(tree.text(PAGE).unwrap_or_default()) {
        // The rows of a table follow each other. The first one follows the rule below the head.
        let is_head = line != next;
        next = line + if is_head { 2 } else { 1 };
        if is_head {
            has_promises |= cells.contains(&COLUMN);
            head = cells;
            continue;
        }
        let Some(id) = cells.first() else { continue };
        if head.first() == Some(&LETTER) {
            explained.insert(*id);
        }
        let Some(guards) = head.iter().position(|cell| *cell == COLUMN).and_then(|at| cells.get(at)) else { continue };
        if !id.get(..1).is_some_and(|letter| explained.contains(letter)) || !ids.insert(*id) {
            found.push(Finding::line(PAGE, line, format!("has the id {id}, which is not explained or not its own")));
        }
        let names: Vec<&str> = guards.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            found.push(Finding::line(PAGE, line, "names no test that guards it"));
        }
        for name in names.into_iter().filter(|name| !exists(tree, name)) {
            found.push(Finding::line(PAGE, line, format!("{name} does not exist")));
        }
    }
    if !has_promises {
        found.push(Finding::file(PAGE, format!("has no table with a column {COLUMN}")));
    }
    found
}

/// Whether `path.rs::function` is a function of that file.
fn exists(tree: &Tree, name: &str) -> bool {
    name.split_once("::").is_some_and(|(path, function)| {
        tree.text(path)
            .is_some_and(|text| text.contains(&format!("fn {function}(")) || text.contains(&format!("fn {function}<")))
    })
}

#[test]
fn a_promise_without_an_id_or_an_existing_test_is_found() {
    let page = "| letter | about |\n|---|---|\n| A | answers |\n\n| id | promise | guarded by |\n|---|---|---|\n\
                | A1 | a | `crates/a/tests/it/a.rs::holds` |\n| A2 | b | `crates/a/tests/it/a.rs::hold` |\n\
                | A3 | c | review |\n| A1, A4 | d | `crates/a/tests/it/a.rs::holds` |\n\
                | A1 | e | `crates/a/tests/it/a.rs::holds` |\n| B1 | f | `crates/a/tests/it/a.rs::holds` |\n\n\
                | other | table | here |\n|---|---|---|\n| x | y | z |\n";
    let tree = Tree::from_files(&[(PAGE, page), ("crates/a/tests/it/a.rs", "fn holds() {}\n")]);
    assert_eq!(
        findings(&tree),
        [
            Finding::line(PAGE, 8, "crates/a/tests/it/a.rs::hold does not exist"),
            Finding::line(PAGE, 9, "names no test that guards it"),
            Finding::line(PAGE, 11, "has the id A1, which is not explained or not its own"),
            Finding::line(PAGE, 12, "has the id B1, which is not explained or not its own"),
        ]
    );
    assert_eq!(findings(&Tree::from_files(&[(PAGE, "no table")])).len(), 1);
}
