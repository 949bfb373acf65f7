//! A module is named after its idea. Names that fit anything gather everything.

use crate::tree::{Finding, Tree, assert_none};

/// Names that say nothing.
const EMPTY_NAMES: [&str; 7] = ["utils", "helpers", "common", "core", "types", "misc", "manager"];

fn findings(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, text) in tree.ending(".rs") {
        if path.ends_with("/mod.rs") {
            found.push(Finding::file(path, "a module is foo.rs with its parts in foo/, never mod.rs"));
        }
        for part in path.trim_end_matches(".rs").split('/').filter(|part| is_empty_name(part)) {
            found.push(Finding::file(path, format!("{part} says nothing: name the idea")));
        }
        for (index, line) in text.lines().enumerate() {
            if inline_module(line).is_some_and(is_empty_name) {
                found.push(Finding::line(path, index + 1, "this module's name says nothing: name the idea"));
            }
        }
    }
    found
}

fn is_empty_name(name: &str) -> bool {
    EMPTY_NAMES.iter().any(|empty| name == *empty || empty.strip_suffix('s') == Some(name))
}

/// The name of a module that is written out in this line: `mod name {`.
fn inline_module(line: &str) -> Option<&str> {
    let (before, name) = line.trim().strip_suffix('{')?.trim_end().rsplit_once(' ')?;
    (before == "mod" || before.ends_with(" mod")).then_some(name)
}

#[test]
fn every_module_is_named_after_its_idea() {
    assert_none(&findings(&Tree::repository()));
}

#[test]
fn empty_names_are_found_as_file_folder_and_inline_module() {
    let tree = Tree::of(&[
        ("crates/a/src/utils.rs", ""),
        ("crates/a/src/helper/line.rs", ""),
        ("crates/a/src/line/mod.rs", ""),
        ("crates/a/src/lib.rs", "pub(crate) mod types {\n}\nmod typeset {\n}\n// no mod common here\n"),
    ]);
    assert_eq!(findings(&tree).len(), 4);
}
