//! Every relative link in the documentation has a target, and every page is in the table of contents.

use std::path::{Component, Path};

use crate::markdown::{anchors, links};
use crate::tree::{Finding, Tree};

/// The table of contents.
const CONTENTS: &str = "docs/SUMMARY.md";

/// Links to files or headings that do not exist.
pub(crate) fn broken_links(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, text) in tree.ending(".md") {
        for (line, target) in links(text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = resolve(path, file);
            if !tree.has(&file) {
                found.push(Finding::line(path, line, format!("{target} does not exist")));
            } else if !anchor.is_empty()
                && !tree.text(&file).is_some_and(|text| anchors(text).iter().any(|a| a == anchor))
            {
                found.push(Finding::line(path, line, format!("{file} has no heading for #{anchor}")));
            }
        }
    }
    found
}

/// Pages of the book that are not in its table of contents.
pub(crate) fn unlisted_pages(tree: &Tree) -> Vec<Finding> {
    let listed: Vec<String> = links(tree.text(CONTENTS).unwrap_or_default())
        .into_iter()
        .map(|(_, target)| resolve(CONTENTS, &target))
        .collect();
    tree.ending(".md")
        .filter(|(path, _)| path.starts_with("docs/") && *path != CONTENTS)
        .filter(|(path, _)| !listed.iter().any(|page| page == path))
        .map(|(path, _)| Finding::file(path, format!("is not linked from {CONTENTS}")))
        .collect()
}

/// The path from the root for the link `target` in the file `from`. An empty target is the file itself.
fn resolve(from: &str, target: &str) -> String {
    if target.is_empty() {
        return from.to_owned();
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for component in Path::new(target).components() {
        match component {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(part) => parts.push(part.to_str().unwrap_or_default()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    parts.join("/")
}

#[test]
fn links_to_missing_files_and_headings_are_found() {
    let tree = Tree::from_files(&[
        ("README.md", "[a](docs/a.md) [b](docs/b.md) [c](docs/a.md#here) [d](docs/a.md#there) [e](https://example.pe)"),
        ("docs/a.md", "# Here\n[up](../README.md) [self](#here) [folder](.)"),
    ]);
    assert_eq!(
        broken_links(&tree),
        [
            Finding::line("README.md", 1, "docs/b.md does not exist"),
            Finding::line("README.md", 1, "docs/a.md has no heading for #there"),
        ]
    );
}

#[test]
fn a_page_outside_the_table_of_contents_is_found() {
    let tree = Tree::from_files(&[
        ("docs/SUMMARY.md", "- [A](topics/a.md)"),
        ("docs/topics/a.md", ""),
        ("docs/topics/b.md", ""),
    ]);
    assert_eq!(unlisted_pages(&tree), [Finding::file("docs/topics/b.md", "is not linked from docs/SUMMARY.md")]);
}
