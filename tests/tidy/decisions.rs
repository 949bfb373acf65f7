//! Architecture decision records have consecutive numbers, a status, and sections on context, decision and consequences.

use crate::markdown::headings;
use crate::tree::{Finding, Tree, assert_none};

const FOLDER: &str = "docs/adr/";
const SECTIONS: [&str; 3] = ["Context", "Decision", "Consequences"];

fn findings(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    let records = tree.ending(".md").filter(|(path, _)| path.starts_with(FOLDER));
    for (number, (path, text)) in (1..).zip(records) {
        let name = path.strip_prefix(FOLDER).unwrap_or_default();
        if !name.starts_with(&format!("{number:04}-")) {
            found.push(Finding::file(path, format!("the next record's number is {number:04}")));
        }
        let sections: Vec<(usize, &str)> = headings(text).collect();
        if !sections.first().is_some_and(|(level, title)| *level == 1 && title.starts_with(&format!("{number}. "))) {
            found.push(Finding::file(path, format!("begin with the heading `# {number}. …`")));
        }
        if !text.lines().any(|line| line.starts_with("Status: ")) {
            found.push(Finding::file(path, "say `Status: accepted`, `superseded by …` and the date"));
        }
        for section in SECTIONS.iter().filter(|section| !sections.contains(&(2, section))) {
            found.push(Finding::file(path, format!("has no section {section}")));
        }
    }
    found
}

#[test]
fn every_decision_record_has_its_number_and_sections() {
    let tree = Tree::repository();
    assert!(tree.has(FOLDER), "the decisions are written down");
    assert_none(&findings(&tree));
}

#[test]
fn a_gap_and_a_missing_section_are_found() {
    let whole = |title: &str| format!("# {title}\nStatus: accepted\n## Context\n## Decision\n## Consequences\n");
    let (one, three) = (whole("1. One"), whole("3. Three"));
    assert_none(&findings(&Tree::of(&[("docs/adr/0001-one.md", &one)])));
    assert_eq!(findings(&Tree::of(&[("docs/adr/0001-one.md", &one), ("docs/adr/0003-three.md", &three)])).len(), 2);
    let bare = "# 1. One\n## Context\n";
    assert_eq!(findings(&Tree::of(&[("docs/adr/0001-one.md", bare)])).len(), 3);
}
