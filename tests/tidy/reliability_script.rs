//! tests/reliability.sh runs tests that exist, and sets every length that a test reads.

use crate::tree::{Finding, Tree, is_test_file};

const SCRIPT: &str = "tests/reliability.sh";
const MAKEFILE: &str = "Makefile";

/// Filters without a test, and lengths that nothing sets.
pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let script = tree.text(SCRIPT).unwrap_or_default().replace("\\\n", " ");
    let lines = || script.lines().map(|line| line.split(" #").next().unwrap_or(line));
    let mut found = Vec::new();
    for part in lines().filter_map(|line| line.strip_prefix("part ")) {
        let mut words = part.split_whitespace().skip(1);
        let suite = words.next().unwrap_or_default();
        let missing = words.filter(|filter| !has_test(tree, suite, filter));
        found.extend(missing.map(|filter| Finding::file(SCRIPT, format!("no test of `{suite}` is called {filter}"))));
    }
    let set: Vec<&str> = lines().filter_map(|line| line.strip_prefix("length ")?.split(' ').next()).collect();
    let makefile = tree.text(MAKEFILE).unwrap_or_default();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| is_test_file(path) && !path.starts_with("tests/tidy/")) {
        let read = ["number(\"", "setting(\""].into_iter().flat_map(|call| text.split(call).skip(1));
        let names = read.filter_map(|rest| rest.split('"').next());
        let is_set = |name: &str| set.contains(&name) || makefile.contains(&format!("RELIABILITY_{name}="));
        let is_length =
            |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        let unset = names.filter(is_length).filter(|name| !is_set(name));
        found.extend(unset.map(|name| Finding::file(path, format!("{SCRIPT} does not set {name}"))));
    }
    found
}

/// Whether a suite has a test, or a module of tests, whose name begins like this.
fn has_test(tree: &Tree, suite: &str, filter: &str) -> bool {
    let (module, test) = filter.rsplit_once("::").unwrap_or((filter, ""));
    let file = |module: &str| format!("/{suite}/{}.rs", module.replace("::", "/"));
    let is_module = |module: &str| tree.ending(&file(module)).next().is_some();
    let has = |test: &str| tree.ending(&file(module)).any(|(_, text)| text.contains(&format!("fn {test}")));
    if test.is_empty() { is_module(module) } else { is_module(&format!("{module}::{test}")) || has(test) }
}

#[test]
fn a_filter_without_a_test_and_an_unset_length_are_found() {
    let script =
        "length KILLS 3 # kills\npart a it killed:: \\\n  stores::a_kill pages::cut # 1\npart b http floods::\n";
    let test = "fn a_killed() { number(\"KILLS\", 1); setting(\"OTHER\"); number(\"retry-after\"); }";
    let of = |stores: &'static str| {
        Tree::from_files(&[
            (SCRIPT, script),
            ("crates/cli/tests/it/killed.rs", ""),
            (stores, test),
            ("crates/adapters/tests/it/pages/cut.rs", ""),
            ("tests/http/floods.rs", ""),
        ])
    };
    assert_eq!(findings(&of("crates/cli/tests/it/stores.rs")).len(), 1, "OTHER");
    assert_eq!(findings(&of("crates/cli/tests/it/other.rs")).len(), 2, "OTHER and stores::a_kill");
}
