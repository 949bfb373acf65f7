//! Files are short: at most 400 lines with their tests.

use crate::tree::{Finding, Tree, assert_none};

/// Lines that a Rust file may have, its unit tests counted.
const LIMIT: usize = 400;

pub(crate) fn too_long(tree: &Tree) -> Vec<Finding> {
    let lengths = tree.ending(".rs").map(|(path, text)| (path, text.lines().count()));
    lengths
        .filter(|&(_, lines)| lines > LIMIT)
        .map(|(path, lines)| Finding::file(path, format!("has {lines} lines, {LIMIT} are allowed: split it")))
        .collect()
}

#[test]
fn unit_tests_and_test_files_count() {
    let code = "fn a() {}\n".repeat(LIMIT - 3);
    let fits = format!("{code}#[cfg(test)]\nmod tests {{\n}}\n");
    assert_none(&too_long(&Tree::from_files(&[("crates/a/src/lib.rs", &fits), ("tests/http/main.rs", &fits)])));
    let longer = format!("{fits}\n");
    let tree =
        Tree::from_files(&[("crates/a/src/lib.rs", &longer), ("tests/http/main.rs", &longer), ("README.md", &longer)]);
    assert_eq!(too_long(&tree).len(), 2);
}
