//! The runbook's symptoms quote what the program says: each text in quotes is a text of the source.

use crate::markdown::table_rows;
use crate::tree::{Finding, Tree};

const PAGE: &str = "docs/operations/runbook.md";

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    // Long texts go on in the next line after a backslash.
    let source: String =
        tree.source_files().flat_map(|(_, text)| text.split("\\\n").map(str::trim_start).chain(["\n"])).collect();
    let mut found = Vec::new();
    for (line, cells) in table_rows(tree.text(PAGE).unwrap_or_default()) {
        let quoted = cells.first().into_iter().flat_map(|symptom| symptom.split('"').skip(1).step_by(2));
        for text in quoted.flat_map(|quoted| quoted.split('…')).map(str::trim).filter(|text| !source.contains(text)) {
            found.push(Finding::line(PAGE, line, format!("quotes {text:?}, which no source says")));
        }
    }
    found
}

#[test]
fn a_quoted_text_that_no_source_says_is_found() {
    let page =
        "| symptom | cause |\n|---|---|\n| \"a job hangs\"; \"asked again …\" | \"no\" |\n| \"a job is stuck\" | |\n";
    let source = "warn!(\n    \"a job \\\n     hangs\");\nerror!(\"asked again: stops\");\n";
    let tree = Tree::from_files(&[(PAGE, page), ("crates/a/src/lib.rs", source)]);
    assert_eq!(findings(&tree), [Finding::line(PAGE, 4, "quotes \"a job is stuck\", which no source says")]);
}
