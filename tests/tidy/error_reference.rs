//! docs/reference/errors.md lists exactly the result codes of the domain, each with the HTTP status that the server gives
//! it.

use kuraka_domain::ResultCode;

use crate::markdown::table_rows;
use crate::tree::{Finding, Tree};

const PAGE: &str = "docs/reference/errors.md";
/// The server's table of codes and statuses: arms such as `ResultCode::Found => StatusCode::OK`.
const STATUSES: &str = "crates/server/src/http/code.rs";

/// Statuses with their names in the code.
const NAMES: [(&str, &str); 11] = [
    ("OK", "200"),
    ("BAD_REQUEST", "400"),
    ("UNAUTHORIZED", "401"),
    ("FORBIDDEN", "403"),
    ("NOT_FOUND", "404"),
    ("METHOD_NOT_ALLOWED", "405"),
    ("PAYLOAD_TOO_LARGE", "413"),
    ("UNSUPPORTED_MEDIA_TYPE", "415"),
    ("TOO_MANY_REQUESTS", "429"),
    ("INTERNAL_SERVER_ERROR", "500"),
    ("SERVICE_UNAVAILABLE", "503"),
];

/// Rows of the page's first table are `| status | code | retryable | … |`.
pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let statuses = tree.text(STATUSES).unwrap_or_default();
    let listed: Vec<[&str; 3]> = table_rows(tree.text(PAGE).unwrap_or_default())
        .into_iter()
        .filter_map(|(_, cells)| match cells.as_slice() {
            [status, code, retryable, ..] if status.parse::<u16>().is_ok() => {
                Some([*status, code.trim_matches('`'), *retryable])
            }
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for code in ResultCode::ALL {
        let expected = [status(statuses, code), code.as_str(), if code.retryable() { "yes" } else { "no" }];
        let rows: Vec<_> = listed.iter().filter(|[_, name, _]| *name == code.as_str()).collect();
        if rows != [&expected] {
            found.push(Finding::file(PAGE, format!("has {rows:?} where the code has {expected:?}")));
        }
    }
    let unknown = listed.iter().filter(|[_, name, _]| ResultCode::ALL.iter().all(|code| code.as_str() != *name));
    found.extend(unknown.map(|[_, name, _]| Finding::file(PAGE, format!("{name} is no result code"))));
    found
}

/// The status that the server's table gives a code; empty if the code is not in the table.
fn status(table: &str, code: ResultCode) -> &'static str {
    let variant = format!("ResultCode::{code:?}");
    let arms = table.lines().filter_map(|line| line.split_once(" => StatusCode::"));
    let mut names = arms.filter(|(codes, _)| codes.split('|').any(|one| one.trim() == variant));
    let name = names.next().map(|(_, name)| name.trim_end_matches(','));
    NAMES.iter().find(|(known, _)| Some(*known) == name).map_or("", |(_, status)| status)
}

#[test]
fn missing_wrong_and_unknown_codes_are_found() {
    let retryable = |code: ResultCode| if code.retryable() { "yes" } else { "no" };
    let row = |code: ResultCode| format!("| 404 | `{code}` | {} | when |\n", retryable(code));
    let page: String = ResultCode::ALL.into_iter().map(row).collect();
    let table: String =
        ResultCode::ALL.iter().map(|code| format!("    ResultCode::{code:?} => StatusCode::NOT_FOUND,\n")).collect();
    let count = |page: &str, table: &str| findings(&Tree::from_files(&[(PAGE, page), (STATUSES, table)])).len();
    assert_eq!(count(&page, &table), 0);
    assert_eq!(count(&page.replace("`found` | no", "`found` | yes"), &table), 1);
    assert_eq!(count(&page.replace("| 404 | `found`", "| 200 | `found`"), &table), 1);
    assert_eq!(count(&page.replace("`found`", "`founded`"), &table), 2);
    assert_eq!(count(&format!("{page}{}", row(ResultCode::Found)), &table), 1);
    assert_eq!(count(&page, &table.replace("::Found => StatusCode::NOT_FOUND", "::Found => StatusCode::OK")), 1);
}
