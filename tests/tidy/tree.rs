//! The repository as a map from path to text, and the findings of a rule.
//!
//! A rule is a function from a [`Tree`] to findings, so it runs on the repository and on made-up trees.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// What holds no sources: wherever it stands, at the root, and in a crate's fuzz package. In a worktree, `.git` is a file.
const RESULTS: [&str; 2] = [".git", "target"];
const ROOT_RESULTS: [&str; 3] = ["data", ".hypothesis", ".schemathesis"];
const FUZZ_RESULTS: [&str; 3] = ["corpus", "artifacts", "coverage"];

/// Text files by their path from the root of the repository, with `/` between folders.
pub(crate) struct Tree {
    files: BTreeMap<String, String>,
}

/// A breach of a rule: the place, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    path: String,
    line: Option<usize>,
    text: String,
}

impl Tree {
    /// This repository, read from disk. Files that are not UTF-8, such as pictures and recorded inputs, count as empty.
    pub(crate) fn repository() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests live one folder below the root");
        let mut files = BTreeMap::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(root.join(&folder)).expect("the folder can be listed") {
                let entry = entry.expect("the folder can be listed");
                let name = entry.file_name().into_string().expect("file names are UTF-8");
                let path = folder.join(&name);
                let kind = entry.file_type().expect("the entry has a type");
                if holds_results(&folder, &name) {
                    continue;
                } else if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file() {
                    let text = fs::read_to_string(root.join(&path)).unwrap_or_default();
                    files.insert(path.to_str().expect("file names are UTF-8").to_owned(), text);
                }
            }
        }
        Self { files }
    }

    /// A made-up tree.
    pub(crate) fn from_files(files: &[(&str, &str)]) -> Self {
        Self { files: files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect() }
    }

    /// Every file, ordered by path.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Files whose path has this ending.
    pub(crate) fn ending(&self, end: &str) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(move |(path, _)| path.ends_with(end))
    }

    /// Rust files of the crates, their tests left out.
    pub(crate) fn source_files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.ending(".rs").filter(|(path, _)| path.starts_with("crates/") && path.contains("/src/"))
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Whether the path is a file or a folder with files.
    pub(crate) fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.files
            .keys()
            .any(|file| file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    }
}

impl Finding {
    /// A breach of a whole file.
    pub(crate) fn file(path: &str, text: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: None, text: text.into() }
    }

    /// A breach in a line; lines count from 1.
    pub(crate) fn line(path: &str, line: usize, text: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: Some(line), text: text.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.text),
            None => write!(f, "{}: {}", self.path, self.text),
        }
    }
}

/// Whether `name` in `parent` holds results, not sources.
fn holds_results(parent: &Path, name: &str) -> bool {
    RESULTS.contains(&name)
        || parent == Path::new("") && ROOT_RESULTS.contains(&name)
        || parent.ends_with("fuzz") && FUZZ_RESULTS.contains(&name)
}

/// Fails with one line for each finding.
#[track_caller]
pub(crate) fn assert_none(findings: &[Finding]) {
    let lines: Vec<String> = findings.iter().map(|finding| format!("\n  {finding}")).collect();
    assert!(lines.is_empty(), "{} found:{}", lines.len(), lines.concat());
}

/// Whether a file has only tests, by its path.
pub(crate) fn is_test_file(path: &str) -> bool {
    path.starts_with("tests/") || path.contains("/tests/") || path.contains("/benches/")
}

/// Splits a text at the first line that begins with `#[cfg(test)]`: the code, and its unit tests.
pub(crate) fn split_unit_tests(text: &str) -> (&str, &str) {
    const MARK: &str = "#[cfg(test)]";
    let start = if text.starts_with(MARK) { Some(0) } else { text.find(&format!("\n{MARK}")).map(|at| at + 1) };
    text.split_at(start.unwrap_or(text.len()))
}

#[test]
fn the_repository_is_read_without_build_results() {
    let tree = Tree::repository();
    assert!(tree.text("Cargo.toml").is_some_and(|text| text.contains("[workspace]")));
    assert!(tree.has("crates/domain/src") && !tree.has("target") && !tree.has(".git"));
}
