//! No test is skipped, no code is unfinished, and no test sleeps.

use toml::{Table, Value};

use crate::tree::{Finding, Tree, assert_none, is_test_file, split_unit_tests};

/// Marks of unfinished code, written so that this file does not match.
const UNFINISHED: [(&str, &str); 5] = [
    (concat!("#[", "ignore"), "run it or remove it"),
    (concat!("todo", "!("), "finish it or remove it"),
    (concat!("unimplemented", "!("), "finish it or remove it"),
    (concat!("TO", "DO"), "finish it or remove it; plans belong into issues"),
    (concat!("FIX", "ME"), "finish it or remove it; plans belong into issues"),
];

/// Calls that wait for the clock.
const SLEEPS: [&str; 2] = [concat!("thread::", "sleep"), concat!("time::", "sleep")];

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, text) in tree.ending(".rs") {
        let code_lines = if is_test_file(path) { 0 } else { split_unit_tests(text).0.lines().count() };
        for (index, line) in text.lines().enumerate() {
            let mut report = |why: &str| found.push(Finding::line(path, index + 1, why));
            UNFINISHED.iter().filter(|(mark, _)| line.contains(mark)).for_each(|(_, why)| report(why));
            if index >= code_lines && SLEEPS.iter().any(|sleep| line.contains(sleep)) {
                report("wait for an event with a deadline, or pause the runtime's time and advance it");
            }
        }
    }
    found
}

/// Unit tests of libraries that are not compiled as a test, so that cargo compiles them once.
pub(crate) fn not_run(tree: &Tree) -> Vec<Finding> {
    let is_off = |text: &str| {
        let manifest: Table = text.parse().expect("the manifest is TOML");
        manifest.get("lib").and_then(|library| library.get("test")).and_then(Value::as_bool) == Some(false)
    };
    let mut found = Vec::new();
    for (manifest, _) in tree.ending("Cargo.toml").filter(|(_, text)| is_off(text)) {
        let sources = manifest.replace("Cargo.toml", "src/");
        for (path, text) in tree.ending(".rs").filter(|(path, _)| path.starts_with(&sources)) {
            if !split_unit_tests(text).1.is_empty() || text.contains("\n#[test]") {
                found.push(Finding::file(
                    path,
                    "is not run: the library has `test = false`; move the tests to tests/it",
                ));
            }
        }
    }
    found
}

#[test]
fn a_unit_test_of_a_library_without_them_is_found() {
    let unit_test = "//! A.\n#[cfg(test)]\nmod tests {}\n";
    for (manifest, expected) in [("[lib]\ntest = false\n", 1), ("[lib]\ntest = true\n", 0), ("", 0)] {
        let tree = [
            ("crates/a/Cargo.toml", manifest),
            ("crates/a/src/b.rs", unit_test),
            ("crates/a/tests/it/main.rs", unit_test),
        ];
        assert_eq!(not_run(&Tree::from_files(&tree)).len(), expected, "{manifest}");
    }
}

#[test]
fn unfinished_code_is_found() {
    for (mark, why) in UNFINISHED {
        assert_eq!(
            findings(&Tree::from_files(&[("crates/a/src/lib.rs", mark)])),
            [Finding::line("crates/a/src/lib.rs", 1, why)]
        );
    }
}

#[test]
fn tests_may_not_sleep_and_code_may() {
    for sleep in SLEEPS {
        let wait = format!("{sleep}(second).await;\n");
        let unit_test = format!("#[cfg(test)]\nmod tests {{ {wait} }}\n");
        assert_none(&findings(&Tree::from_files(&[("crates/a/src/lib.rs", &wait)])));
        assert_eq!(findings(&Tree::from_files(&[("crates/a/src/lib.rs", &unit_test)])).len(), 1);
        assert_eq!(findings(&Tree::from_files(&[("crates/a/tests/it/main.rs", &wait)])).len(), 1);
    }
}
