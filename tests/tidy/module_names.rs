//! A module has a specific name. A name such as `utils` fits everything and would attract everything.

use crate::tree::{Finding, Tree};

/// Names that are not specific.
const EMPTY_NAMES: [&str; 7] = ["utils", "helpers", "common", "core", "types", "misc", "manager"];

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, text) in tree.ending(".rs") {
        if path.ends_with("/mod.rs") {
            found.push(Finding::file(path, "name the file foo.rs and keep its submodules in foo/"));
        }
        for part in path.trim_end_matches(".rs").split('/').filter(|part| is_empty_name(part)) {
            found.push(Finding::file(path, format!("{part} is not a specific name")));
        }
        for (index, line) in text.lines().enumerate() {
            if inline_module(line).is_some_and(is_empty_name) {
                found.push(Finding::line(path, index + 1, "this module has no specific name"));
            }
        }
    }
    found
}

fn is_empty_name(name: &str) -> bool {
    EMPTY_NAMES.iter().any(|empty| name == *empty || empty.strip_suffix('s') == Some(name))
}

/// The name of the inline module that begins in this line: `mod name {`.
fn inline_module(line: &str) -> Option<&str> {
    let (before, name) = line.trim().strip_suffix('{')?.trim_end().rsplit_once(' ')?;
    (before == "mod" || before.ends_with(" mod")).then_some(name)
}

#[test]
fn unspecific_names_of_files_folders_and_inline_modules_are_found() {
    let tree = Tree::from_files(&[
        ("crates/a/src/utils.rs", ""),
        ("crates/a/src/helper/line.rs", ""),
        ("crates/a/src/line/mod.rs", ""),
        ("crates/a/src/lib.rs", "pub(crate) mod types {\n}\nmod typeset {\n}\n// no mod common here\n"),
    ]);
    assert_eq!(findings(&tree).len(), 4);
}
