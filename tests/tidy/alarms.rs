//! The alarms of docs/operations/observe.md are the rules of alerts.yml, and tests/alerts.yml tests each of them.

use std::collections::BTreeSet;

use crate::markdown::table_rows;
use crate::tree::{Finding, Tree};

const PAGE: &str = "docs/operations/observe.md";
const RULES: &str = "docs/operations/alerts.yml";
const TESTS: &str = "tests/alerts.yml";

/// Alarms that the page, the rules or their tests lack.
pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let text = |path| tree.text(path).unwrap_or_default();
    let after = |path, key: &str| -> BTreeSet<String> {
        text(path).lines().filter_map(|line| Some(line.trim().strip_prefix(key)?.to_owned())).collect()
    };
    let cells = table_rows(text(PAGE)).into_iter().filter_map(|(_, cells)| cells.into_iter().next());
    let on_page: BTreeSet<String> = cells
        .flat_map(|cell| {
            cell.split('`').filter(|name| name.starts_with("Kuraka")).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    let lists = [(PAGE, on_page), (RULES, after(RULES, "- alert: ")), (TESTS, after(TESTS, "alertname: "))];
    let all: BTreeSet<&String> = lists.iter().flat_map(|(_, names)| names).collect();
    if all.is_empty() {
        return vec![Finding::file(RULES, "has no alarm")];
    }
    let missing = |(path, names): &(&str, BTreeSet<String>)| {
        let lacks = all.iter().filter(|name| !names.contains(**name));
        lacks.map(|name| Finding::file(path, format!("lacks the alarm {name}"))).collect::<Vec<_>>()
    };
    lists.iter().flat_map(missing).collect()
}

#[test]
fn missing_alarms_are_found() {
    let page = "| alarm | means |\n|---|---|\n| `KurakaA`, `KurakaB` | a |\n";
    let rules = "rules:\n  - alert: KurakaA\n  - alert: KurakaB\n";
    let tests = "  - alertname: KurakaA\n    alertname: KurakaA\n    alertname: KurakaB\n";
    let found = |page, rules, tests| findings(&Tree::from_files(&[(PAGE, page), (RULES, rules), (TESTS, tests)])).len();
    assert_eq!(found(page, rules, tests), 0);
    assert_eq!(found("", rules, tests), 2);
    assert_eq!(found(page, "rules:\n  - alert: KurakaA\n", tests), 1);
    assert_eq!(found(page, rules, ""), 2);
    assert_eq!(found("", "", ""), 1);
}
