//! What an operation costs. It is written down once: few source files name its path, and every other place takes it from
//! the table of operations. One on data that the registry has, with a record and a handler of its own, costs few source
//! files in all.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::tree::{Finding, Tree, assert_none, split_unit_tests};

/// Names every path that the API answers. A test of the server compares it with the routes.
const DOCUMENT: &str = "docs/reference/openapi.json";

/// Source files that may write a path as a text of its own.
const LIMIT: usize = 3;

/// The handlers, one file for each operation.
const HANDLERS: &str = "crates/server/src/http/operations/";

/// What a handler on data that the registry has imports.
const LOOK_UP: &str = "use crate::http::registry_lookup::";

/// Where pages, commands, the tools of agents and the client use what an operation has. They are no part of it.
const USERS: [&str; 4] =
    ["crates/panel/src/pages/", "crates/cli/src/commands/", "crates/api/src/tools.rs", "crates/client/src/"];

/// Source files that may name such an operation, or what only its handler uses.
const FILES: usize = 7;

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
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

/// Operations on data of the registry that too many files name. An operation with a name that other code has as a word,
/// such as `ruc`, cannot be counted.
pub(crate) fn costly(tree: &Tree) -> Vec<Finding> {
    let handlers: Vec<(&str, BTreeSet<&str>)> =
        tree.source_files().filter_map(|(file, text)| Some((file.strip_prefix(HANDLERS)?, imports(text)))).collect();
    let mut found = Vec::new();
    for (file, imported) in &handlers {
        let Some(module) = file.strip_suffix(".rs").filter(|module| module.contains('_')) else { continue };
        let path = format!("{HANDLERS}{file}");
        let looks_up = |text: &str| text.lines().any(|line| line.starts_with(LOOK_UP) && line.contains("look_up"));
        if !tree.text(&path).is_some_and(looks_up) {
            continue;
        }
        let is_own = |name: &&&str| handlers.iter().filter(|(_, others)| others.contains(**name)).count() == 1;
        let mut names: BTreeSet<&str> = imported.iter().filter(is_own).copied().collect();
        names.insert(module);
        let url = module.replace('_', "-");
        let names_it = |text: &str| text.contains(&url) || words(text).any(|word| names.contains(word));
        let is_part = |file: &str| !USERS.iter().any(|users| file.starts_with(users));
        let files = tree.source_files().filter(|(file, text)| is_part(file) && names_it(split_unit_tests(text).0));
        let files: Vec<&str> = files.map(|(file, _)| file).collect();
        if files.len() > FILES {
            let text = format!("costs {} files, {FILES} are allowed: {}", files.len(), files.join(", "));
            found.push(Finding::file(&path, text));
        }
    }
    if handlers.is_empty() {
        found.push(Finding::file(HANDLERS, "has no handlers"));
    }
    found
}

/// The records and the use cases that a file imports. What it imports of the domain and the ports is data that is there.
fn imports(text: &str) -> BTreeSet<&str> {
    let names = |line| ["use kuraka_api::", "use kuraka_app::"].iter().find_map(|crate_| str::split_once(line, crate_));
    text.split(';').filter_map(names).flat_map(|(_, names)| words(names)).filter(|name| !name.is_empty()).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

#[test]
fn a_file_that_only_one_handler_uses_counts() {
    let handler = "use kuraka_api::{AnnexRecord, ruc_anexos};\nuse kuraka_app::LookupAnnexes;\nuse kuraka_ports::Parts;\n\
                   use crate::http::registry_lookup::look_up;";
    let files = [
        ("crates/server/src/http/operations/ruc_anexos.rs", handler),
        ("crates/server/src/http/operations/ruc_ficha.rs", "use kuraka_ports::Parts;"),
        ("crates/server/src/http/operations.rs", "mod ruc_anexos;"),
        ("crates/server/src/settings.rs", "calls!(\"ruc-anexos\");"),
        ("crates/api/src/lib.rs", "pub use ruc_anexos::AnnexRecord;"),
        ("crates/api/src/ruc_anexos.rs", "pub struct AnnexRecord;"),
        ("crates/app/src/lookup.rs", "pub struct LookupAnnexes;"),
        ("crates/app/src/lib.rs", "pub use lookup::LookupAnnexes;"),
        ("crates/ports/src/lib.rs", "pub struct Parts;\n#[cfg(test)]\nmod tests { use ruc_anexos; }"),
        ("crates/server/src/eighth.rs", "fn f(lookup: &LookupAnnexes) {}"),
    ];
    assert_none(&costly(&Tree::from_files(&files[..9])));
    assert_eq!(costly(&Tree::from_files(&files)).len(), 1);
    assert_eq!(costly(&Tree::from_files(&[])).len(), 1);
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
    assert_none(&findings(&Tree::from_files(&files[..6])));
    assert_eq!(findings(&Tree::from_files(&files)).len(), 1);
}

#[test]
fn a_document_without_paths_is_found() {
    assert_eq!(findings(&Tree::from_files(&[(DOCUMENT, "{}")])).len(), 1);
    assert_eq!(findings(&Tree::from_files(&[])).len(), 1);
}
