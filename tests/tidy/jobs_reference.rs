//! docs/operations/observe.md lists the server's background jobs.

use crate::markdown::table_rows;
use crate::tree::{Finding, Tree};

const PAGE: &str = "docs/operations/observe.md";
const FOLDER: &str = "crates/server/src/background/";

/// Jobs without a row whose first cell has their name.
pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let rows = table_rows(tree.text(PAGE).unwrap_or_default());
    let is_listed = |name: &str| {
        rows.iter()
            .any(|(_, cells)| cells.len() == 4 && cells.first().is_some_and(|cell| names(cell).any(|at| at == name)))
    };
    let jobs: Vec<_> =
        tree.source_files().filter(|(path, _)| path.starts_with(FOLDER)).flat_map(|(_, text)| jobs(text)).collect();
    if jobs.is_empty() {
        return vec![Finding::file(FOLDER, "has no `const NAME: &'static str` of a job")];
    }
    jobs.into_iter()
        .filter(|job| !is_listed(job))
        .map(|job| Finding::file(PAGE, format!("does not list the job {job}")))
        .collect()
}

/// The texts in code of a cell.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The names of the jobs that a file defines.
fn jobs(code: &str) -> impl Iterator<Item = &str> {
    code.split("const NAME: &'static str = \"").skip(1).filter_map(|rest| rest.split('"').next())
}

#[test]
fn missing_jobs_are_found() {
    let code = "impl Job for A {\n    const NAME: &'static str = \"sweep_a\";\n}\nimpl Job for B {\n    const NAME: &'static str = \"fetch_b\";\n}\n";
    let path = format!("{FOLDER}a.rs");
    let found = |page: &str| findings(&Tree::from_files(&[(&path, code), (PAGE, page)])).len();
    let whole =
        "| job | does | every | stalled after |\n|---|---|---|---|\n| `sweep_a` or `fetch_b` | a | 1 s | never |\n";
    assert_eq!(found(whole), 0);
    assert_eq!(found(&whole.replace("`sweep_a` or ", "")), 1);
    assert_eq!(found("The job `sweep_a`, and `fetch_b`."), 2);
    assert_eq!(findings(&Tree::from_files(&[(PAGE, whole)])).len(), 1);
}
