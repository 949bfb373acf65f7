//! Every module begins with a paragraph on its purpose.

use crate::tree::{Finding, Tree, assert_none};

fn findings(tree: &Tree) -> Vec<Finding> {
    tree.ending(".rs")
        .filter(|(path, _)| path.contains("/src/") || path.starts_with("tests/tidy/"))
        .filter(|(_, text)| !text.lines().next().is_some_and(|line| line.starts_with("//! ") && line.len() > 12))
        .map(|(path, _)| Finding::file(path, "begin with `//!` and a paragraph on the module's purpose"))
        .collect()
}

#[test]
fn every_module_begins_with_its_purpose() {
    assert_none(&findings(&Tree::repository()));
}

#[test]
fn a_module_without_a_purpose_is_found() {
    let tree = Tree::of(&[
        ("crates/a/src/lib.rs", "//! Peruvian tax data as types.\n"),
        ("crates/a/src/ruc.rs", "use std::fmt;\n//! Too late to say what it is for.\n"),
        ("crates/a/src/date.rs", "//! Dates\n"),
        ("crates/a/src/empty.rs", ""),
        ("crates/a/tests/it/main.rs", "mod ruc;\n"),
    ]);
    assert_eq!(findings(&tree).len(), 3);
}
