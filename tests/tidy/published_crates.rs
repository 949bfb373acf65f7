//! The crates that other projects may use are published, and no others.

use toml::{Table, Value};

use crate::tree::{Finding, Tree};

const PUBLISHED: [&str; 3] = ["kuraka-domain", "kuraka-api", "kuraka-client"];

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, text) in tree.ending("/Cargo.toml") {
        let manifest: Table = text.parse().expect("the manifest is TOML");
        let package = |key: &str| manifest.get("package").and_then(|package| package.get(key));
        let name = package("name").and_then(Value::as_str).unwrap_or(path);
        let is_kept_back = package("publish").and_then(Value::as_bool) == Some(false);
        match (PUBLISHED.contains(&name), is_kept_back) {
            (false, false) => found.push(Finding::file(path, "say `publish = false`")),
            (true, true) => found.push(Finding::file(path, "remove `publish = false`")),
            _ => {}
        }
    }
    found
}

#[test]
fn a_crate_that_says_the_opposite_is_found() {
    let manifest = |name: &str, publish: &str| {
        let text = format!("[package]\nname = \"{name}\"\n{publish}\n");
        findings(&Tree::from_files(&[("crates/a/Cargo.toml", &text)])).len()
    };
    assert_eq!([manifest("kuraka-domain", ""), manifest("kuraka-app", "publish = false")], [0, 0]);
    assert_eq!([manifest("kuraka-domain", "publish = false"), manifest("kuraka-app", "")], [1, 1]);
}
