//! Architecture decision records have consecutive numbers, the file name of their title, a status, and sections on
//! context, decision and consequences.

use crate::markdown::headings;
use crate::tree::{Finding, Tree, assert_none};

const FOLDER: &str = "docs/adr/";
const SECTIONS: [&str; 3] = ["Context", "Decision", "Consequences"];

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    if !tree.has(FOLDER) {
        found.push(Finding::file(FOLDER, "is missing: write the decisions down"));
    }
    let records = tree.ending(".md").filter(|(path, _)| path.starts_with(FOLDER));
    for (number, (path, text)) in (1..).zip(records) {
        let name = path.strip_prefix(FOLDER).unwrap_or_default();
        let sections: Vec<(usize, &str)> = headings(text).collect();
        match sections
            .first()
            .and_then(|(level, title)| title.strip_prefix(&format!("{number}. ")).filter(|_| *level == 1))
        {
            None => found.push(Finding::file(path, format!("begin with the heading `# {number}. …`"))),
            Some(title) => {
                let expected = format!("{number:04}-{}.md", slug(title));
                if name != expected {
                    found.push(Finding::file(path, format!("name it {expected}, by its title")));
                }
            }
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

/// The title in lower case with hyphens between its words.
fn slug(title: &str) -> String {
    let plain = title.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " ");
    plain.split_whitespace().collect::<Vec<_>>().join("-")
}

#[test]
fn a_gap_a_wrong_name_a_missing_section_and_a_missing_folder_are_found() {
    assert_eq!(findings(&Tree::from_files(&[])).len(), 1);
    let whole = |title: &str| format!("# {title}\nStatus: accepted\n## Context\n## Decision\n## Consequences\n");
    let (one, three) = (whole("1. One \"and\" only"), whole("3. Three"));
    let first = ("docs/adr/0001-one-and-only.md", one.as_str());
    assert_none(&findings(&Tree::from_files(&[first])));
    assert_eq!(findings(&Tree::from_files(&[first, ("docs/adr/0003-three.md", &three)])).len(), 1);
    assert_eq!(findings(&Tree::from_files(&[("docs/adr/0001-one.md", &one)])).len(), 1);
    assert_eq!(findings(&Tree::from_files(&[("docs/adr/0002-one-and-only.md", &one)])).len(), 1);
    let bare = "# 1. One\n## Context\n";
    assert_eq!(findings(&Tree::from_files(&[("docs/adr/0001-one.md", bare)])).len(), 3);
}
