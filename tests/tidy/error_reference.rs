//! docs/reference/errors.md lists the result codes as the domain defines them: all of them, and no other.

use kuraka_domain::ResultCode;

use crate::markdown::table_rows;
use crate::tree::{Finding, Tree, assert_none};

const PAGE: &str = "docs/reference/errors.md";

/// Rows of the page's first table are `| status | code | retryable | … |`.
fn findings(tree: &Tree) -> Vec<Finding> {
    let listed: Vec<(String, String)> = table_rows(tree.text(PAGE).unwrap_or_default())
        .into_iter()
        .filter_map(|(_, cells)| match cells.as_slice() {
            [status, code, retryable, ..] if status.parse::<u16>().is_ok() => {
                Some((code.trim_matches('`').to_owned(), (*retryable).to_owned()))
            }
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for code in ResultCode::ALL {
        let rows: Vec<_> = listed.iter().filter(|(name, _)| name == code.as_str()).collect();
        match rows.as_slice() {
            [(_, retryable)] if *retryable == (if code.retryable() { "yes" } else { "no" }) => {}
            [(_, retryable)] => found.push(Finding::file(PAGE, format!("{code} is not retryable: {retryable}"))),
            rows => found.push(Finding::file(PAGE, format!("lists {code} {} times", rows.len()))),
        }
    }
    let unknown = listed.iter().filter(|(name, _)| ResultCode::ALL.iter().all(|code| code.as_str() != name));
    found.extend(unknown.map(|(name, _)| Finding::file(PAGE, format!("{name} is no result code"))));
    found
}

#[test]
fn every_result_code_is_documented_once() {
    assert_none(&findings(&Tree::repository()));
}

#[test]
fn a_missing_a_wrong_and_an_unknown_code_are_found() {
    let row = |code: &str, retryable: &str| format!("| 200 | `{code}` | {retryable} | when |\n");
    let retryable = |code: ResultCode| if code.retryable() { "yes" } else { "no" };
    let whole: String = ResultCode::ALL.iter().map(|&code| row(code.as_str(), retryable(code))).collect();
    let count = |page: &str| findings(&Tree::of(&[(PAGE, page)])).len();
    assert_eq!(count(&whole), 0);
    assert_eq!(count(&whole.replace("`found` | no", "`found` | yes")), 1);
    assert_eq!(count(&whole.replace("`found`", "`founded`")), 2);
    assert_eq!(count(&format!("{whole}{}", row("found", "no"))), 1);
}
