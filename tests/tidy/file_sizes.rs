//! A file is one idea: at most 500 lines without its tests.

use crate::tree::{Finding, Tree, assert_none, is_test_file, split_unit_tests};

/// Lines that a file may have, its unit tests not counted.
const LIMIT: usize = 500;

/// Files that are longer, with the lines they may have. The list may only shrink: an entry is exact or goes.
const LONGER: &[(&str, usize)] = &[];

fn findings(tree: &Tree, longer: &[(&str, usize)]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| !is_test_file(path)) {
        let lines = split_unit_tests(text).0.lines().count();
        let allowed = longer.iter().find(|(name, _)| *name == path).map(|&(_, lines)| lines);
        match allowed {
            None if lines > LIMIT => found.push(Finding::file(path, format!("has {lines} lines, {LIMIT} are allowed"))),
            Some(allowed) if lines > allowed.max(LIMIT) => {
                found.push(Finding::file(path, format!("has grown to {lines} lines from {allowed}")));
            }
            Some(_) if lines <= LIMIT => found.push(Finding::file(path, "fits now: remove it from the list")),
            Some(allowed) if lines < allowed => {
                found.push(Finding::file(path, format!("has shrunk: write {lines} in the list")));
            }
            _ => {}
        }
    }
    let gone = longer.iter().filter(|(name, _)| tree.text(name).is_none());
    found.extend(gone.map(|(name, _)| Finding::file(name, "is gone: remove it from the list")));
    found
}

#[test]
fn no_file_is_longer_than_one_idea() {
    assert_none(&findings(&Tree::repository(), LONGER));
}

#[test]
fn lines_of_code_count_and_lines_of_tests_do_not() {
    let code = "fn a() {}\n".repeat(LIMIT);
    let tests = format!("{code}#[cfg(test)]\nmod tests {{\n{code}}}\n");
    assert_none(&findings(&Tree::of(&[("crates/a/src/lib.rs", &tests), ("crates/a/tests/it/main.rs", &tests)]), &[]));
    let longer = format!("{code}fn b() {{}}\n");
    assert_eq!(findings(&Tree::of(&[("crates/a/src/lib.rs", &longer)]), &[]).len(), 1);
}

#[test]
fn the_list_only_shrinks() {
    const PATH: &str = "crates/a/src/lib.rs";
    let lines = |count: usize| Tree::of(&[(PATH, &"\n".repeat(count))]);
    assert_none(&findings(&lines(620), &[(PATH, 620)]));
    for count in [621, 619, 500] {
        assert_eq!(findings(&lines(count), &[(PATH, 620)]).len(), 1, "{count} lines");
    }
    assert_eq!(findings(&Tree::of(&[]), &[(PATH, 620)]).len(), 1);
}
