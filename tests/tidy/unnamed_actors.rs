//! A sentence names its actor: the server, the client, SUNAT. No line may use a word such as "somebody" instead.

use crate::tree::{Finding, Tree, assert_none};

/// Words that name no actor, in two halves so that this file does not find itself.
const WORDS: [(&str, &str); 5] = [("some", "body"), ("no", "body"), ("who", "ever"), ("any", "body"), ("who", "m")];

/// The lines of source and documentation that have one of the words.
fn findings(tree: &Tree) -> Vec<Finding> {
    let words = WORDS.map(|(start, end)| format!("{start}{end}"));
    let is_prose = |path: &str| path.starts_with("docs/") || matches!(path, "README.md" | "CONTRIBUTING.md");
    let has_one = |line: &str| {
        line.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| words.iter().any(|w| w == word))
    };
    let files = tree.source_files().chain(tree.files().filter(|(path, _)| is_prose(path)));
    files
        .flat_map(|(path, text)| text.lines().enumerate().map(move |(index, line)| (path, index + 1, line)))
        .filter(|(_, _, line)| has_one(line))
        .map(|(path, line, text)| Finding::line(path, line, text.trim()))
        .collect()
}

#[test]
fn no_line_leaves_the_actor_unnamed() {
    assert_none(&findings(&Tree::repository()));
}

#[test]
fn a_line_is_found_by_its_whole_words() {
    let [some, no, _, _, who] = WORDS.map(|(start, end)| format!("{start}{end}"));
    let text = format!("// {}, here.\n// {no}'s {who}\n// {who}se {no}_else\n", some.to_uppercase());
    let found = |path: &str| findings(&Tree::of(&[(path, &text)])).len();
    assert_eq!(found("crates/a/src/a.rs"), 3);
    assert_eq!(found("docs/guides/a.md"), 3);
    assert_eq!(found("README.md"), 3);
    assert_eq!(found("crates/a/tests/it/a.rs"), 0);
    assert_eq!(found("CHANGELOG.md"), 0);
}
