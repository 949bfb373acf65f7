//! Workflows and packaging scripts run only pinned tools, and only `packaging/sign.sh` sees the key that signs releases.

use crate::tree::{Finding, Tree};

const RELEASE: &str = ".github/workflows/release.yml";

/// Tools without an exact version, steps with the key that run something else, and a release without the key.
pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    if tree.text(RELEASE).is_none_or(|text| !text.contains("MINISIGN_KEY")) {
        found.push(Finding::file(RELEASE, "has no step with MINISIGN_KEY"));
    }
    for (path, text) in tree.ending(".yml").filter(|(path, _)| path.starts_with(".github/workflows/")) {
        for action in text.lines().filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix("uses: ")) {
            let commit = action.split(' ').next().and_then(|action| action.rsplit_once('@')).map_or("", |(_, at)| at);
            if commit.len() != 40 || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                found.push(Finding::file(path, format!("{action} is not pinned to a commit")));
            }
        }
        let with_key = text.split("- name:").filter(|step| step.contains("MINISIGN_KEY"));
        if with_key.clone().any(|step| !step.contains("packaging/sign.sh") || step.contains("make ")) {
            found.push(Finding::file(
                path,
                "a step with MINISIGN_KEY runs something else than packaging/sign.sh".to_owned(),
            ));
        }
    }
    for (path, text) in tree.ending(".sh").filter(|(path, _)| path.starts_with("packaging/")) {
        let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
        let unpinned = lines.filter(|line| {
            let is_tool = line.starts_with("need_cargo ") && line.split(' ').count() != 3;
            is_tool || line.contains("pip\" install") && !line.contains("--require-hashes")
        });
        found.extend(unpinned.map(|line| Finding::file(path, format!("`{line}` names no version or hash"))));
    }
    found
}

#[test]
fn an_unpinned_tool_and_a_key_beside_the_build_are_found() {
    let release = "- uses: actions/checkout@v4\n- name: Build\n  env: {MINISIGN_KEY: x}\n  run: make package\n";
    let build = "need_cargo auditable\n\"$TARGET/bin/pip\" install thing\nneed_cargo cyclonedx 0.5.9\n";
    let files = [(RELEASE, release), ("packaging/build.sh", build)];
    assert_eq!(findings(&Tree::from_files(&files)).len(), 4);
    assert_eq!(findings(&Tree::from_files(&[(RELEASE, "- name: Build\n  run: make package\n")])).len(), 1);
    assert_eq!(findings(&Tree::from_files(&[])).len(), 1);
}
