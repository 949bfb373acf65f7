//! No code asks which dataset it has: what differs between datasets is said in their descriptions. And a dataset with
//! fields of its own in an answer costs few source files.

use crate::tree::{Finding, Tree, assert_none, split_unit_tests};

/// The descriptions.
const DESCRIPTIONS: &str = "crates/registry/src/dataset/";

/// What a comparison has. Names in another place choose a dataset, or open its folder.
const COMPARISONS: [&str; 4] = ["==", "!=", ".contains(", "matches!("];

/// Where the demo and its published files are made up: it does not read descriptions.
const SANDBOX: &str = "crates/sandbox/";

/// Where answers, pages and commands use what a dataset has, and the kit for tests.
const USERS: [&str; 8] = [
    "crates/panel/",
    "crates/cli/",
    "crates/server/src/http/operations/",
    "crates/api/src/ruc_anexos.rs",
    "crates/api/src/ruc_ssco.rs",
    "crates/api/src/table_row.rs",
    "crates/ports/src/contract/",
    "crates/ports/src/fake/",
];

/// Source files that may name what a dataset with fields of its own has.
const FILES: usize = 9;

/// The datasets with fields of their own: the constant, the role, the name, the record of the domain and the part of a
/// profile.
const WITH_FIELDS: [[&str; 5]; 3] = [
    ["ANEXOS", "DatasetRole::Annexes", "\"anexos\"", "AnnexPremises", "ANNEXES"],
    ["SSCO", "DatasetRole::Capacity", "\"ssco\"", "OperatingIncapacity", "OPERATING_INCAPACITY"],
    ["SANCIONES", "DatasetRole::Sanctions", "\"sanciones\"", "Sanction", "SANCTIONS"],
];

/// A dataset's constant and its name.
fn described(tree: &Tree) -> Vec<(&str, &str)> {
    let files = tree.source_files().filter(|(file, _)| file.starts_with(DESCRIPTIONS));
    let descriptions = files.flat_map(|(_, text)| split_unit_tests(text).0.split("pub const ").skip(1));
    descriptions
        .filter_map(|text| {
            let (constant, rest) = text.split_once(": Dataset = Dataset {")?;
            let (_, name) = rest.split_once("name: \"")?;
            Some((constant, name.split_once('"')?.0))
        })
        .collect()
}

/// The names of datasets that the ports have, as comparisons name them.
fn in_ports(tree: &Tree) -> Vec<String> {
    let text = tree.text("crates/ports/src/registry.rs").unwrap_or_default();
    let constants = text.split("pub const ").skip(1).filter_map(|text| text.split_once(": &str = "));
    let forms = |name| [format!("dataset::{name}"), format!("== {name}"), format!("!= {name}")];
    constants.flat_map(|(name, _)| forms(name)).collect()
}

/// Lines that compare with a dataset.
pub(crate) fn comparisons(tree: &Tree) -> Vec<Finding> {
    let described = described(tree);
    let mut found = Vec::new();
    if described.is_empty() {
        found.push(Finding::file(DESCRIPTIONS, "describes no dataset"));
    }
    let mut names = in_ports(tree);
    names.extend(described.iter().flat_map(|(constant, name)| [format!("{constant}.name"), format!("\"{name}\"")]));
    let is_checked = |file: &str| !file.starts_with(DESCRIPTIONS) && !file.starts_with(SANDBOX);
    for (file, text) in tree.source_files().filter(|(file, _)| is_checked(file) && !file.contains("/tests/")) {
        for (line, text) in (1..).zip(split_unit_tests(text).0.lines()) {
            let pattern =
                text.split_once("=>").map_or("", |(pattern, _)| pattern.split(" if ").next().unwrap_or(pattern));
            let compared = if COMPARISONS.iter().any(|sign| text.contains(sign)) { text } else { pattern };
            if let Some(name) = names.iter().find(|name| compared.contains(name.as_str())) {
                found.push(Finding::line(file, line, format!("compares with {name}: ask a field of the description")));
            }
        }
    }
    found
}

/// Datasets that too many files name.
pub(crate) fn costly(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    let is_part = |file: &str| !USERS.iter().any(|users| file.starts_with(users));
    for words in WITH_FIELDS {
        let names_it = |text: &str| words.iter().any(|word| has_word(split_unit_tests(text).0, word));
        let files = tree.source_files().filter(|(file, text)| is_part(file) && names_it(text));
        let files: Vec<&str> = files.map(|(file, _)| file).collect();
        if files.is_empty() || files.len() > FILES {
            let text = format!("{words:?} costs {} files, {FILES} are allowed: {}", files.len(), files.join(", "));
            found.push(Finding::file(DESCRIPTIONS, text));
        }
    }
    found
}

fn has_word(text: &str, word: &str) -> bool {
    let is_other = |next: Option<char>| next.is_none_or(|next| !next.is_alphanumeric() && next != '_');
    let mut places = text.match_indices(word);
    places.any(|(at, _)| is_other(text[..at].chars().next_back()) && is_other(text[at + word.len()..].chars().next()))
}

#[test]
fn a_comparison_with_a_dataset_is_found() {
    let files = [
        ("crates/registry/src/dataset/ssco.rs", "pub const SSCO: Dataset = Dataset {\n    name: \"ssco\",\n};"),
        ("crates/ports/src/registry.rs", "pub const CAPACITY: &str = \"ssco\";"),
        (
            "crates/a/src/a.rs",
            "Ok(name) if is(dataset::CAPACITY) => folder(SSCO.name),\n#[cfg(test)]\nlet a = x == SSCO.name;",
        ),
        ("crates/a/src/b.rs", "if dataset.name == SSCO.name {}"),
        ("crates/a/src/c.rs", "if name != dataset::CAPACITY {}"),
        ("crates/a/src/d.rs", "    \"ssco\" => true,"),
        ("crates/a/src/e.rs", "if name == CAPACITY {}"),
    ];
    assert_none(&comparisons(&Tree::from_files(&files[..3])));
    assert_eq!(comparisons(&Tree::from_files(&files)).len(), 4);
    assert_eq!(comparisons(&Tree::from_files(&[])).len(), 1);
}

#[test]
fn a_tenth_file_of_a_dataset_is_found() {
    let names: Vec<String> = (0..10).map(|n| format!("crates/a/src/f{n}.rs")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "position(&SSCO)")).collect();
    files[0].1 = "DatasetRole::Capacity";
    // The other two datasets are named nowhere.
    assert_eq!(costly(&Tree::from_files(&files[..9])).len(), 2);
    assert_eq!(costly(&Tree::from_files(&files)).len(), 3);
}
