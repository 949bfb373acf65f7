//! Names that every Rust reader knows: `MAX_` and `MIN_` for limits, `…Error` for errors, `from_*` or a verb, not `of`.

use crate::tree::{Finding, Tree};

/// The first words of constants for which Rust says `MAX`, `MIN` or `DEFAULT`.
const PREFIXES: [&str; 11] =
    ["MOST", "LONGEST", "LEAST", "USUAL", "HIGHEST", "LARGEST", "SHORTEST", "LOWEST", "SMALLEST", "GREATEST", "FEWEST"];

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| !path.starts_with("tests/tidy/")) {
        let mut derives_error = false;
        for (index, line) in text.lines().enumerate() {
            let mut report = |why: &str| found.push(Finding::line(path, index + 1, why));
            let line = line.trim();
            if line.starts_with("//") {
                continue;
            }
            if ["const ", "static "].iter().any(|word| after(line, word).is_some_and(is_unusual_limit)) {
                report("name a limit MAX_…, MIN_… or DEFAULT_…, with its unit");
            }
            if after(line, "fn ").is_some_and(|name| identifier(name) == "of") {
                report("name a constructor new, from_…, for_… or with a verb");
            }
            derives_error |=
                line.starts_with("#[derive(") && line.split(['(', ')', ',', ' ', ':']).any(|w| w == "Error");
            let name = ["struct ", "enum "].iter().find_map(|word| after(line, word)).map(identifier);
            let is_error = name.filter(|_| std::mem::take(&mut derives_error)).or_else(|| implements_error(line));
            if is_error.is_some_and(|name| !name.ends_with("Error")) {
                report("name an error …Error");
            }
        }
    }
    found
}

/// What follows a word that begins the line, or is behind a blank or a bracket.
fn after<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let at = line.find(word)?;
    let is_word = line.get(..at).is_some_and(|before| before.is_empty() || before.ends_with([' ', '<', '(']));
    line.get(at + word.len()..).filter(|_| is_word)
}

fn identifier(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

fn is_unusual_limit(text: &str) -> bool {
    identifier(text).split('_').next().is_some_and(|first| PREFIXES.contains(&first))
}

/// The type for which the line implements `Error`.
fn implements_error(line: &str) -> Option<&str> {
    let (head, name) = line.split_once("Error for ")?;
    let is_error = head.starts_with("impl") && head.ends_with([' ', ':']);
    Some(identifier(name)).filter(|name| is_error && !name.is_empty())
}

#[test]
fn unusual_names_are_found() {
    let count = |text: &str| findings(&Tree::from_files(&[("crates/a/src/lib.rs", text)])).len();
    for unusual in [
        "const MOST: usize = 1;",
        "    pub(crate) const LONGEST_NAME: usize = 1;",
        "struct Whole<const LEAST: u64>;",
        "impl Ruc { pub const fn of(text: &str) -> Self {",
        "fn of<T>() {",
        "#[derive(Debug, Error)]\n#[error(\"a\")]\npub struct Broken;",
        "#[derive(Debug, thiserror::Error)]\nenum Broken {",
        "impl std::error::Error for Broken {}",
        "impl Error for Broken {}",
    ] {
        assert_eq!(count(unusual), 1, "{unusual}");
    }
    for usual in [
        "const MAX_NAME_CHARS: usize = 1;",
        "// const MOST: usize = 1;",
        "const MOSTLY: usize = 1;",
        "fn of_ruc(ruc: Ruc) {",
        "#[derive(Debug, Error)]\npub struct BrokenError;\npub struct Other;",
        "impl From<StoreError> for Broken {",
        "#[derive(Debug)]\npub struct Broken;",
    ] {
        assert_eq!(count(usual), 0, "{usual}");
    }
}
