//! docs/reference/configuration.md lists all settings of the server's table of keys, with their defaults and in the same
//! order.

use crate::markdown::table_rows;
use crate::tree::{Finding, Tree, assert_none};

const PAGE: &str = "docs/reference/configuration.md";
const CODE: &str = "crates/server/src/settings/keys.rs";

/// The first difference between page and code.
fn finding(tree: &Tree) -> Option<Finding> {
    let defined = defined(tree, tree.text(CODE).unwrap_or_default());
    let listed = listed(tree.text(PAGE).unwrap_or_default());
    if defined.is_empty() {
        return Some(Finding::file(CODE, "has no table `const KEYS` of (\"key\", \"default\")"));
    }
    let differs = |at: &usize| defined.get(*at) != listed.get(*at);
    let at = (0..defined.len().max(listed.len())).find(differs)?;
    let (code, page) = (defined.get(at), listed.get(at));
    Some(Finding::file(PAGE, format!("row {} is {page:?}, the code has {code:?}", at + 1)))
}

/// Keys and defaults of the table `const KEYS`. A default may be a constant in another file.
fn defined<'a>(tree: &'a Tree, code: &'a str) -> Vec<(&'a str, &'a str)> {
    let table =
        code.split_once("const KEYS:").and_then(|(_, rest)| rest.split_once("];")).map_or("", |(table, _)| table);
    table
        .lines()
        .filter_map(|line| {
            let pair = line.trim().strip_prefix("(\"")?.strip_suffix("),")?;
            let (key, default) = pair.split_once("\", ")?;
            let text = default.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            Some((key, text.or_else(|| constant(tree, default)).unwrap_or(default)))
        })
        .collect()
}

/// The text of a constant in any file.
fn constant<'a>(tree: &'a Tree, name: &str) -> Option<&'a str> {
    let definition = format!("const {name}: &str = \"");
    tree.ending(".rs").find_map(|(_, text)| text.split_once(&definition)?.1.split('"').next())
}

/// The first and second cell of each row whose first cell is code.
fn listed(page: &str) -> Vec<(&str, &str)> {
    let rows = table_rows(page).into_iter().filter_map(|(_, cells)| match cells.as_slice() {
        [key, default, _] => Some((key.strip_prefix('`')?.strip_suffix('`')?, default.trim_matches('`'))),
        _ => None,
    });
    rows.collect()
}

#[test]
fn every_setting_is_documented_with_its_default() {
    assert_none(finding(&Tree::repository()).as_slice());
}

#[test]
fn missing_changed_and_unknown_settings_are_found() {
    let code =
        "const KEYS: &[(&str, &str)] = &[\n    (\"http.bind\", \"127.0.0.1:8080\"),\n    (\"store.url\", \"\"),\n];\n";
    let found = |page: &str| finding(&Tree::of(&[(CODE, code), (PAGE, page)])).is_some();
    let whole =
        "| key | default | meaning |\n|---|---|---|\n| `http.bind` | `127.0.0.1:8080` | a |\n| `store.url` | | b |\n";
    assert!(!found(whole));
    assert!(found(&whole.replace(":8080", ":8081")));
    assert!(found(&whole.replace("store.url", "store.uri")));
    assert!(found(&whole.replace("| `store.url` | | b |\n", "")));
    assert!(found(&format!("{whole}| `log.level` | | c |\n")));
    assert!(finding(&Tree::of(&[(PAGE, whole)])).is_some());

    let named = code.replace("\"127.0.0.1:8080\"", "BIND");
    let with = |elsewhere: &str| finding(&Tree::of(&[(CODE, &named), ("a.rs", elsewhere), (PAGE, whole)])).is_some();
    assert!(!with("pub const BIND: &str = \"127.0.0.1:8080\";\n"));
    assert!(with("pub const BIND: &str = \"127.0.0.1:8081\";\n"));
}
