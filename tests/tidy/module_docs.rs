//! Every module begins with a paragraph on its purpose. The README of a crate may be its purpose.

use crate::tree::{Finding, Tree};

const README: &str = "#![doc = include_str!(\"../README.md\")]";

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    tree.ending(".rs")
        .filter(|(path, _)| path.contains("/src/") || path.starts_with("tests/tidy/"))
        .filter(|(path, text)| {
            let readme = path.strip_suffix("src/lib.rs").and_then(|folder| tree.text(&format!("{folder}README.md")));
            let purpose =
                |line: &str| line.starts_with("//! ") && line.len() > 12 || line == README && readme.is_some();
            !text.lines().next().is_some_and(purpose)
        })
        .map(|(path, _)| Finding::file(path, "begin with `//!` and a paragraph on the module's purpose"))
        .collect()
}

#[test]
fn a_module_without_a_purpose_is_found() {
    let tree = Tree::from_files(&[
        ("crates/a/src/lib.rs", "//! Peruvian tax data as types.\n"),
        ("crates/a/src/ruc.rs", "use std::fmt;\n//! Too late to say what it is for.\n"),
        ("crates/a/src/date.rs", "//! Dates\n"),
        ("crates/a/src/empty.rs", ""),
        ("crates/a/tests/it/main.rs", "mod ruc;\n"),
        ("crates/b/src/lib.rs", "#![doc = include_str!(\"../README.md\")]\n"),
        ("crates/c/src/lib.rs", "#![doc = include_str!(\"../README.md\")]\n"),
        ("crates/c/README.md", "# c\n\nPayments.\n"),
    ]);
    assert_eq!(findings(&tree).len(), 4);
}
