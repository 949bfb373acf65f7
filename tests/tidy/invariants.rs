//! Every invariant of docs/reference/invariants.md and every row of docs/reference/reliability.md names the tests that
//! guard it, and these tests exist.

use crate::markdown::table_rows;
use crate::tree::{Finding, Tree, assert_none};

const PAGE: &str = "docs/reference/invariants.md";
const TRIALS: &str = "docs/reference/reliability.md";
/// Head of the column that names the guards as `path.rs::test_name`.
const COLUMN: &str = "guarded by";

fn findings(tree: &Tree, page: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut column = None;
    for (line, cells) in table_rows(tree.text(page).unwrap_or_default()) {
        if let Some(at) = cells.iter().position(|cell| *cell == COLUMN) {
            column = Some((at, cells.len()));
            continue;
        }
        let Some(guards) = column.filter(|&(_, width)| width == cells.len()).and_then(|(at, _)| cells.get(at)) else {
            continue;
        };
        let names: Vec<&str> = guards.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            found.push(Finding::line(page, line, "names no test that guards it"));
        }
        for name in names.into_iter().filter(|name| !exists(tree, name)) {
            found.push(Finding::line(page, line, format!("{name} does not exist")));
        }
    }
    if column.is_none() {
        found.push(Finding::file(page, format!("has no table with a column {COLUMN}")));
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
fn every_invariant_names_existing_tests() {
    let tree = Tree::repository();
    for page in [PAGE, TRIALS] {
        assert_none(&findings(&tree, page));
    }
}

#[test]
fn an_invariant_without_an_existing_test_is_found() {
    let page = "| invariant | guarded by |\n|---|---|\n| a | `crates/a/tests/it/a.rs::holds` |\n\
                | b | `crates/a/tests/it/a.rs::hold` |\n| c | review |\n\n| other | table | here |\n|---|---|---|\n| x | y | z |\n";
    let tree = Tree::of(&[(PAGE, page), ("crates/a/tests/it/a.rs", "fn holds() {}\n")]);
    assert_eq!(
        findings(&tree, PAGE),
        [
            Finding::line(PAGE, 4, "crates/a/tests/it/a.rs::hold does not exist"),
            Finding::line(PAGE, 5, "names no test that guards it"),
        ]
    );
    assert_eq!(findings(&Tree::of(&[(PAGE, "no table")]), PAGE).len(), 1);
}
