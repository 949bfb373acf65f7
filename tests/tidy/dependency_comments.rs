//! Every dependency of the workspace has a comment on its purpose, and at least one crate uses it.

use toml::Table;

use crate::tree::{Finding, Tree, assert_none};

const ROOT: &str = "Cargo.toml";

/// Dependencies without a comment in the line above. Consecutive crates of the workspace share one comment.
pub(crate) fn uncommented(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut inside = false;
    let mut above = "";
    for (index, line) in tree.text(ROOT).unwrap_or_default().lines().enumerate() {
        if line.starts_with('[') {
            inside = line == "[workspace.dependencies]";
        } else if inside && let Some((name, _)) = line.split_once(" = ") {
            let explained = above.starts_with("# ") || name.starts_with("kuraka-") && above.starts_with("kuraka-");
            if !line.starts_with('#') && !explained {
                found.push(Finding::line(ROOT, index + 1, format!("say in a comment above what {name} is for")));
            }
        }
        above = line;
    }
    found
}

/// Dependencies that no crate uses.
pub(crate) fn unused(tree: &Tree) -> Vec<Finding> {
    let root: Table = tree.text(ROOT).unwrap_or_default().parse().expect("the manifest is TOML");
    let dependencies = root.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let used = |name: &str| {
        tree.ending("/Cargo.toml").any(|(_, text)| {
            text.lines().any(|line| {
                line.strip_prefix(name).is_some_and(|rest| rest.starts_with(".workspace") || rest.starts_with(" = "))
            })
        })
    };
    dependencies
        .and_then(toml::Value::as_table)
        .into_iter()
        .flat_map(Table::keys)
        .filter(|name| !used(name))
        .map(|name| Finding::file(ROOT, format!("no crate uses {name}")))
        .collect()
}

#[test]
fn a_comment_explains_one_dependency_only() {
    let manifest =
        "[workspace.dependencies]\n# Errors.\nthiserror = \"2\"\nserde = \"1\"\n\nsha2 = { version = \"1\" }\n";
    assert_eq!(
        uncommented(&Tree::from_files(&[(ROOT, manifest)])),
        [
            Finding::line(ROOT, 4, "say in a comment above what serde is for"),
            Finding::line(ROOT, 6, "say in a comment above what sha2 is for")
        ]
    );
}

#[test]
fn the_crates_of_the_workspace_share_a_comment() {
    let manifest =
        "[workspace.dependencies]\n# Ours.\nkuraka-domain = {}\nkuraka-app = {}\n[profile.dev]\nlto = false\n";
    assert_none(&uncommented(&Tree::from_files(&[(ROOT, manifest)])));
}

#[test]
fn another_crate_with_the_same_prefix_is_no_use() {
    let tree = |line: &str| {
        Tree::from_files(&[(ROOT, "[workspace.dependencies]\nserde = \"1\"\n"), ("crates/a/Cargo.toml", line)])
    };
    assert_eq!(unused(&tree("serde_json.workspace = true")).len(), 1);
    assert_none(&unused(&tree("serde.workspace = true")));
    assert_none(&unused(&tree("serde = { workspace = true, optional = true }")));
}
