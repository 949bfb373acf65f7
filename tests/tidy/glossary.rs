//! One word per thing. docs/GLOSSARY.md lists the words; its third column names those that must not stand for them,
//! and the documentation does not use them.

use crate::markdown::{table_rows, without_code};
use crate::tree::{Finding, Tree, assert_none};

const GLOSSARY: &str = "docs/GLOSSARY.md";

fn findings(tree: &Tree) -> Vec<Finding> {
    let rows = table_rows(tree.text(GLOSSARY).unwrap_or_default());
    let entries: Vec<(usize, &str, &str)> = rows
        .iter()
        .skip(1)
        .filter_map(|(line, cells)| match cells.as_slice() {
            [word, meaning, not] if !meaning.is_empty() => Some((*line, *word, *not)),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    if entries.len() + 1 != rows.len() {
        found.push(Finding::file(GLOSSARY, "every row has a word, its meaning, and what not to say instead"));
    }
    for pair in entries.windows(2) {
        if let [(_, before, _), (line, word, _)] = pair
            && before.to_lowercase() > word.to_lowercase()
        {
            found.push(Finding::line(GLOSSARY, *line, format!("{word} belongs before {before}")));
        }
    }
    let refused =
        entries.iter().flat_map(|(_, word, not)| not.split(", ").filter(|n| !n.is_empty()).map(move |n| (*word, n)));
    for (word, instead) in refused {
        for (path, text) in tree.ending(".md").filter(|(path, _)| *path != GLOSSARY) {
            for (index, line) in without_code(text).lines().enumerate() {
                if has_word(line, instead) {
                    found.push(Finding::line(path, index + 1, format!("say {word}, not {instead}")));
                }
            }
        }
    }
    found
}

/// Whether the word stands in the line by itself, in any case, or with a plural s.
fn has_word(line: &str, word: &str) -> bool {
    let (line, word) = (line.to_lowercase(), word.to_lowercase());
    line.match_indices(&word).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + word.len()..).unwrap_or_default();
        let after = after.strip_prefix('s').unwrap_or(after).chars().next();
        ![before, after].into_iter().flatten().any(|c| c.is_alphanumeric() || c == '_' || c == '-')
    })
}

#[test]
fn the_documentation_says_one_word_per_thing() {
    let tree = Tree::repository();
    assert!(tree.has(GLOSSARY), "the words are written down");
    assert_none(&findings(&tree));
}

#[test]
fn a_refused_word_is_found_in_prose_and_not_in_code() {
    let glossary = "| word | meaning | not |\n|---|---|---|\n| edition | one state | snapshot, dump |\n";
    let page = "The Snapshots are new.\n`snapshot` and snapshotted stay.\nA dump.\n";
    let tree = Tree::of(&[(GLOSSARY, glossary), ("README.md", page)]);
    assert_eq!(
        findings(&tree),
        [
            Finding::line("README.md", 1, "say edition, not snapshot"),
            Finding::line("README.md", 3, "say edition, not dump")
        ]
    );
}

#[test]
fn the_glossary_is_in_order_and_complete() {
    let glossary =
        "| word | meaning | not |\n|---|---|---|\n| token | a secret | |\n| lease | a block | |\n| plan | | |\n";
    assert_eq!(findings(&Tree::of(&[(GLOSSARY, glossary)])).len(), 2);
}
