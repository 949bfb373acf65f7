//! Files are short: at most 400 lines with their tests, and half of the source files have fewer than 100.

use crate::tree::{Finding, Tree, assert_none};

/// Lines that a Rust file may have, its unit tests counted.
const LIMIT: usize = 400;

/// Half of the files below `crates/*/src` have fewer lines than this.
const MEDIAN_LIMIT: usize = 100;

fn too_long(tree: &Tree) -> Vec<Finding> {
    let lengths = tree.ending(".rs").map(|(path, text)| (path, text.lines().count()));
    lengths
        .filter(|&(_, lines)| lines > LIMIT)
        .map(|(path, lines)| Finding::file(path, format!("has {lines} lines, {LIMIT} are allowed: split it")))
        .collect()
}

/// Lines of the file in the middle when the source files are sorted by length; of the longer one where two are.
fn median(tree: &Tree) -> usize {
    let mut lengths: Vec<usize> = tree.source_files().map(|(_, text)| text.lines().count()).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied().unwrap_or_default()
}

#[test]
fn no_file_has_more_than_400_lines() {
    assert_none(&too_long(&Tree::repository()));
}

#[test]
fn the_median_source_file_has_fewer_than_100_lines() {
    let median = median(&Tree::repository());
    assert!(median < MEDIAN_LIMIT, "the median source file has {median} lines: split the long ones");
}

#[test]
fn unit_tests_and_test_files_count() {
    let code = "fn a() {}\n".repeat(LIMIT - 3);
    let fits = format!("{code}#[cfg(test)]\nmod tests {{\n}}\n");
    assert_none(&too_long(&Tree::of(&[("crates/a/src/lib.rs", &fits), ("tests/http/main.rs", &fits)])));
    let longer = format!("{fits}\n");
    let tree = Tree::of(&[("crates/a/src/lib.rs", &longer), ("tests/http/main.rs", &longer), ("README.md", &longer)]);
    assert_eq!(too_long(&tree).len(), 2);
}

#[test]
fn the_median_is_of_source_files_only() {
    let [short, long] = ["\n".repeat(10), "\n".repeat(200)];
    let files = [("crates/a/src/a.rs", &*short), ("crates/a/src/b.rs", &*long), ("crates/a/tests/it/a.rs", &*short)];
    assert_eq!(median(&Tree::of(&files)), 200);
    assert_eq!(median(&Tree::of(&[files[0], ("crates/a/src/a/c.rs", &short), files[1]])), 10);
}
