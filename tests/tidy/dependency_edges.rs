//! Who may depend on whom. A new edge between crates is a change of this table and gets the hardest look.

use toml::{Table, Value};

use crate::tree::{Finding, Tree, assert_none};

/// What one crate may use, inside the workspace and in its tests, and what it must not know from outside.
struct Room {
    name: &'static str,
    may_use: &'static [&'static str],
    tests_may_use: &'static [&'static str],
    must_not_know: &'static [&'static str],
}

/// Libraries that speak HTTP.
const HTTP: &[&str] = &["actix-web", "reqwest", "hyper", "http"];
/// HTTP and storage.
const HTTP_AND_SQL: &[&str] = &["actix-web", "reqwest", "hyper", "http", "sqlx"];
/// HTTP, storage and any runtime.
const HTTP_SQL_AND_RUNTIME: &[&str] = &["actix-web", "reqwest", "hyper", "http", "sqlx", "tokio", "async-trait"];

/// The house.
const HOUSE: &[Room] = &[
    Room { name: "kuraka-domain", may_use: &[], tests_may_use: &[], must_not_know: HTTP_SQL_AND_RUNTIME },
    Room { name: "kuraka-api", may_use: &["kuraka-domain"], tests_may_use: &[], must_not_know: HTTP_SQL_AND_RUNTIME },
    Room { name: "kuraka-ports", may_use: &["kuraka-domain"], tests_may_use: &[], must_not_know: HTTP_AND_SQL },
    Room {
        name: "kuraka-registry",
        may_use: &["kuraka-domain"],
        tests_may_use: &["kuraka-sandbox"],
        must_not_know: HTTP_SQL_AND_RUNTIME,
    },
    Room {
        name: "kuraka-adapters",
        may_use: &["kuraka-domain", "kuraka-ports", "kuraka-registry"],
        tests_may_use: &["kuraka-sandbox"],
        must_not_know: &["actix-web"],
    },
    Room {
        name: "kuraka-app",
        may_use: &["kuraka-domain", "kuraka-ports"],
        tests_may_use: &[],
        must_not_know: HTTP_AND_SQL,
    },
    Room {
        name: "kuraka-panel",
        may_use: &["kuraka-domain", "kuraka-api", "kuraka-ports", "kuraka-app"],
        tests_may_use: &[],
        must_not_know: &["reqwest", "hyper", "http", "sqlx"],
    },
    Room { name: "kuraka-sandbox", may_use: &["kuraka-domain"], tests_may_use: &[], must_not_know: &[] },
    Room {
        name: "kuraka-server",
        may_use: &[
            "kuraka-domain",
            "kuraka-api",
            "kuraka-ports",
            "kuraka-registry",
            "kuraka-adapters",
            "kuraka-app",
            "kuraka-panel",
            "kuraka-sandbox",
        ],
        tests_may_use: &[],
        must_not_know: &["sqlx"],
    },
    Room { name: "kuraka-bench", may_use: &[], tests_may_use: &[], must_not_know: &[] },
    Room {
        name: "acceptance",
        may_use: &[],
        // The server is tried from outside; the rest sets the scene, as the commands do: accounts, tokens, editions.
        tests_may_use: &[
            "kuraka-domain",
            "kuraka-ports",
            "kuraka-registry",
            "kuraka-adapters",
            "kuraka-app",
            "kuraka-sandbox",
            "kuraka-server",
        ],
        must_not_know: &[],
    },
];

/// Every edge that the table does not allow.
fn findings(tree: &Tree) -> Vec<Finding> {
    tree.ending("/Cargo.toml").flat_map(|(path, text)| manifest_findings(path, text)).collect()
}

/// The same for one manifest. A crate's own tests may name it, to switch a feature on; its fuzz package may use it
/// and what it may use itself.
fn manifest_findings(path: &str, text: &str) -> Vec<Finding> {
    let manifest: Table = text.parse().expect("the manifest is TOML");
    let name = manifest.get("package").and_then(|package| package.get("name")).and_then(Value::as_str).unwrap_or(path);
    let fuzzed = name.strip_suffix("-fuzz");
    let Some(room) = HOUSE.iter().find(|room| room.name == fuzzed.unwrap_or(name)) else {
        return vec![Finding::file(path, format!("{name} has no room in the table of this test"))];
    };
    let mut found = Vec::new();
    for (dependency, in_tests) in dependencies(&manifest) {
        let inside = dependency.starts_with("kuraka-") || dependency == "acceptance";
        let allowed = room.may_use.contains(&dependency.as_str())
            || in_tests && room.tests_may_use.contains(&dependency.as_str())
            || in_tests && dependency == name
            || fuzzed == Some(&dependency);
        if inside && !allowed {
            found.push(Finding::file(path, format!("{name} may not depend on {dependency}{}", tests_too(in_tests))));
        }
        if !in_tests && room.must_not_know.contains(&dependency.as_str()) {
            found.push(Finding::file(path, format!("{name} must not know {dependency}")));
        }
    }
    found
}

/// Every dependency by its package's name, and whether only tests use it.
fn dependencies(manifest: &Table) -> Vec<(String, bool)> {
    let of_targets = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let tables = of_targets.filter_map(Value::as_table).chain([manifest]);
    let mut found = Vec::new();
    for table in tables {
        for (section, in_tests) in [("dependencies", false), ("build-dependencies", false), ("dev-dependencies", true)]
        {
            for (key, value) in table.get(section).and_then(Value::as_table).into_iter().flatten() {
                let package = value.get("package").and_then(Value::as_str).unwrap_or(key);
                found.push((package.to_owned(), in_tests));
            }
        }
    }
    found
}

fn tests_too(in_tests: bool) -> &'static str {
    if in_tests { ", not even in its tests" } else { "" }
}

#[test]
fn crates_depend_only_on_what_the_table_allows() {
    assert_none(&findings(&Tree::repository()));
}

#[test]
fn http_stays_out_of_ports_and_app() {
    for name in ["kuraka-ports", "kuraka-app"] {
        for library in HTTP {
            let text = format!("[package]\nname = \"{name}\"\n[dependencies]\n{library} = \"1\"\n");
            assert_eq!(manifest_findings("Cargo.toml", &text).len(), 1, "{name} and {library}");
        }
    }
}

#[test]
fn a_new_edge_is_found_in_every_section_and_under_every_name() {
    for section in ["dependencies", "build-dependencies", "dev-dependencies", "target.'cfg(unix)'.dependencies"] {
        for line in ["kuraka-registry = \"1\"", "other = { package = \"kuraka-registry\", version = \"1\" }"] {
            let text = format!("[package]\nname = \"kuraka-app\"\n[{section}]\n{line}\n");
            assert_eq!(manifest_findings("Cargo.toml", &text).len(), 1, "{section}: {line}");
        }
    }
}

#[test]
fn an_edge_for_tests_is_no_edge_for_the_crate() {
    let text = |section: &str| {
        format!("[package]\nname = \"kuraka-registry\"\n[{section}]\nkuraka-sandbox = {{ workspace = true }}\n")
    };
    assert_none(&manifest_findings("Cargo.toml", &text("dev-dependencies")));
    assert_eq!(manifest_findings("Cargo.toml", &text("dependencies")).len(), 1);
}

#[test]
fn a_fuzz_package_uses_its_own_crate_only() {
    let text = |dependency: &str| {
        format!("[package]\nname = \"kuraka-registry-fuzz\"\n[dependencies]\n{dependency} = {{ path = \"..\" }}\n")
    };
    assert_none(&manifest_findings("Cargo.toml", &text("kuraka-registry")));
    assert_eq!(manifest_findings("Cargo.toml", &text("kuraka-server")).len(), 1);
}

#[test]
fn a_crate_names_itself_in_tests_only() {
    let text = |section: &str| format!("[package]\nname = \"kuraka-ports\"\n[{section}]\nkuraka-ports = \"1\"\n");
    assert_none(&manifest_findings("Cargo.toml", &text("dev-dependencies")));
    assert_eq!(manifest_findings("Cargo.toml", &text("dependencies")).len(), 1);
}

#[test]
fn a_crate_without_a_room_is_found() {
    assert_eq!(manifest_findings("Cargo.toml", "[package]\nname = \"kuraka-annex\"\n").len(), 1);
}
