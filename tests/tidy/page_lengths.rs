//! A newcomer reads docs/ARCHITECTURE.md in ten minutes: it has fewer than 3,000 words.

use crate::tree::{Finding, Tree, assert_none};

/// Pages, with the words that they have fewer than.
const LIMITS: [(&str, usize); 1] = [("docs/ARCHITECTURE.md", 3000)];

fn findings(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for (page, limit) in LIMITS {
        match tree.text(page).map(|text| text.split_whitespace().count()) {
            None => found.push(Finding::file(page, "does not exist")),
            Some(words) if words >= limit => {
                found.push(Finding::file(page, format!("has {words} words: write fewer than {limit}")));
            }
            Some(_) => {}
        }
    }
    found
}

#[test]
fn the_architecture_page_has_fewer_than_3000_words() {
    assert_none(&findings(&Tree::repository()));
}

#[test]
fn a_page_that_is_too_long_or_missing_is_found() {
    let (page, limit) = LIMITS[0];
    assert_none(&findings(&Tree::of(&[(page, &"word ".repeat(limit - 1))])));
    assert_eq!(findings(&Tree::of(&[(page, &"word\n".repeat(limit))])).len(), 1);
    assert_eq!(findings(&Tree::of(&[])).len(), 1);
}
