//! An operation is written down once: few source files name its path, and every other place takes it from the table of
//! operations.

use serde_json::Value;

use crate::tree::{Finding, Tree, assert_none};

/// Names every path that the API answers. A test of the server compares it with the routes.
const DOCUMENT: &str = "docs/reference/openapi.json";

/// Source files that may write a path as a text of its own.
const LIMIT: usize = 3;

fn findings(tree: &Tree) -> Vec<Finding> {
    let document: Value = tree.text(DOCUMENT).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let paths: Vec<&String> =
        document.get("paths").and_then(Value::as_object).into_iter().flat_map(|paths| paths.keys()).collect();
    let mut found = Vec::new();
    if paths.is_empty() {
        found.push(Finding::file(DOCUMENT, "names no paths"));
    }
    for path in paths {
        let quoted = format!("\"{path}\"");
        let files: Vec<&str> =
            tree.source_files().filter(|(_, text)| text.contains(&quoted)).map(|(file, _)| file).collect();
        if files.len() > LIMIT {
            let text =
                format!("{quoted} is written in {} files, {LIMIT} are allowed: {}", files.len(), files.join(", "));
            found.push(Finding::file(DOCUMENT, text));
        }
    }
    found
}

#[test]
fn at_most_three_source_files_write_the_path_of_an_operation() {
    assert_none(&findings(&Tree::repository()));
}

#[test]
fn a_path_in_a_fourth_source_file_is_found() {
    let files = [
        (DOCUMENT, "{\"paths\": {\"/cpe\": {}}}"),
        ("crates/a/src/a.rs", "const A: &str = \"/cpe\";"),
        ("crates/a/src/b.rs", "const B: &str = \"/cpe\";"),
        ("crates/a/src/c.rs", "const C: &str = \"/cpe/list\"; // \"/cpe\""),
        ("crates/a/src/d.rs", "const D: &str = \"/cpe/list\";"),
        ("crates/a/tests/it/e.rs", "call(\"/cpe\")"),
        ("crates/b/src/f.rs", "call(\"/cpe\")"),
    ];
    assert_none(&findings(&Tree::of(&files[..6])));
    assert_eq!(findings(&Tree::of(&files)).len(), 1);
}

#[test]
fn a_document_without_paths_is_found() {
    assert_eq!(findings(&Tree::of(&[(DOCUMENT, "{}")])).len(), 1);
    assert_eq!(findings(&Tree::of(&[])).len(), 1);
}
