//! The repository names no host of a package registry.

use crate::tree::{Finding, Tree, assert_none};

/// Hosts of package registries, in two halves so that this file does not match. Pages for readers, such as docs.rs, are
/// allowed.
const HOSTS: [(&str, &str); 6] = [
    ("crates", ".io"),
    ("pypi", ".org"),
    ("pythonhosted", ".org"),
    ("npmjs", ".org"),
    ("npmjs", ".com"),
    ("debian", ".org"),
];

/// Cargo writes the registry of every package into this file.
const WRITTEN_BY_CARGO: &str = "Cargo.lock";

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let hosts = HOSTS.map(|(name, end)| format!("{name}{end}"));
    let mut found = Vec::new();
    for (path, text) in tree.files().filter(|(path, _)| !path.ends_with(WRITTEN_BY_CARGO)) {
        for (index, line) in text.lines().enumerate() {
            if hosts.iter().any(|host| has_address(line, host)) {
                found.push(Finding::line(path, index + 1, "names a package registry's host"));
            }
        }
    }
    found
}

/// Whether the line has a URL of the host or of a subdomain.
fn has_address(line: &str, host: &str) -> bool {
    line.split("://").skip(1).any(|rest| {
        let name = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').next().unwrap_or_default();
        let name = name.trim_end_matches('.');
        name == host || name.strip_suffix(host).is_some_and(|below| below.ends_with('.'))
    })
}

#[test]
fn hosts_are_found_only_in_urls() {
    for (name, end) in HOSTS {
        for address in [format!("https://{name}{end}/serde"), format!("see http://static.{name}{end}.")] {
            assert_eq!(findings(&Tree::from_files(&[("README.md", &address)])).len(), 1, "{address}");
        }
        let word = format!("published on {name}{end}, not at https://{name}{end}.example.pe");
        assert_none(&findings(&Tree::from_files(&[("README.md", &word)])));
    }
}

#[test]
fn the_lock_file_may_name_registries() {
    let (name, end) = HOSTS[0];
    assert_none(&findings(&Tree::from_files(&[("Cargo.lock", &format!("https://{name}{end}"))])));
}
