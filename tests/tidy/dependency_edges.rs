//! The dependencies that each crate may have. A new one is a change of this table and needs a careful review.

use toml::{Table, Value};

use crate::tree::{Finding, Tree, assert_none};

/// A crate, the crates of the workspace that it and its tests may use, and the other crates that it must not use.
/// `kuraka-` is left out of the first three.
type Rule = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Libraries that speak HTTP.
const HTTP: &[&str] = &["actix-web", "reqwest", "hyper", "http"];
/// HTTP and storage.
const HTTP_AND_SQL: &[&str] = &["actix-web", "reqwest", "hyper", "http", "sqlx"];
/// HTTP, storage and any runtime.
const HTTP_SQL_AND_RUNTIME: &[&str] = &["actix-web", "reqwest", "hyper", "http", "sqlx", "tokio", "async-trait"];

/// The crates of the workspace.
const CRATES: &[Rule] = &[
    ("domain", "", "", HTTP_SQL_AND_RUNTIME),
    ("api", "domain", "", HTTP_SQL_AND_RUNTIME),
    ("client", "domain api", "", &["actix-web", "sqlx"]),
    ("ports", "domain", "", HTTP_AND_SQL),
    ("tables", "domain", "generators", HTTP_SQL_AND_RUNTIME),
    ("registry", "domain tables", "sandbox generators", HTTP_SQL_AND_RUNTIME),
    ("adapters", "domain ports registry", "sandbox generators", &["actix-web"]),
    ("app", "domain ports", "", HTTP_AND_SQL),
    ("panel", "domain api ports app tables", "", &["reqwest", "hyper", "http", "sqlx"]),
    ("connections", "", "", &["reqwest", "sqlx"]),
    ("sandbox", "domain", "", &[]),
    (
        "server",
        "domain api ports registry adapters app panel connections tables",
        "sandbox generators",
        &["sqlx", "clap"],
    ),
    (
        "cli",
        "domain api ports registry adapters app panel connections sandbox server tables",
        "generators",
        &["sqlx", "actix-web", "reqwest"],
    ),
    // Generators of test data are outside of `crates`: the product does not contain them.
    ("generators", "domain", "", &[]),
    // The packages' manual pages. It reads the command line, whose types are of these crates.
    ("manual", "domain registry", "", HTTP_SQL_AND_RUNTIME),
    ("bench", "", "", &[]),
    // Measures them from inside.
    ("measure", "domain api ports registry adapters app server", "", HTTP_AND_SQL),
    // These tests use the server from outside. They use the other crates to make accounts, tokens and editions.
    ("acceptance", "", "domain api ports registry adapters app sandbox generators server tables", &[]),
];

/// Every dependency that the table does not allow.
pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    tree.ending("/Cargo.toml").flat_map(|(path, text)| manifest_findings(path, text)).collect()
}

/// The same for one manifest. A crate's tests may depend on the crate itself, to enable a feature. Its fuzz package may
/// use the crate and what the crate and its tests may use.
fn manifest_findings(path: &str, text: &str) -> Vec<Finding> {
    let manifest: Table = text.parse().expect("the manifest is TOML");
    let name = manifest.get("package").and_then(|package| package.get("name")).and_then(Value::as_str).unwrap_or(path);
    let fuzzed = name.strip_suffix("-fuzz");
    let short = |name: &str| name.strip_prefix("kuraka-").unwrap_or(name).to_owned();
    let known = short(fuzzed.unwrap_or(name));
    let Some((_, may_use, tests_may_use, must_not_know)) = CRATES.iter().find(|rule| rule.0 == known) else {
        return vec![Finding::file(path, format!("{name} is not in the table of this test"))];
    };
    let mut found = Vec::new();
    for (dependency, in_tests) in dependencies(&manifest) {
        let inside = dependency.starts_with("kuraka-") || dependency == "acceptance";
        let is_in = |list: &str| list.split(' ').any(|name| name == short(&dependency));
        let allowed = is_in(may_use)
            || (in_tests || fuzzed.is_some()) && is_in(tests_may_use)
            || in_tests && dependency == name
            || fuzzed == Some(&dependency);
        if inside && !allowed {
            found.push(Finding::file(path, format!("{name} may not depend on {dependency}{}", tests_too(in_tests))));
        }
        if !in_tests && must_not_know.contains(&dependency.as_str()) {
            found.push(Finding::file(path, format!("{name} must not know {dependency}")));
        }
    }
    found
}

/// The package names of the dependencies, each with whether only tests use it.
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
fn ports_and_app_do_not_use_http_libraries() {
    for name in ["kuraka-ports", "kuraka-app"] {
        for library in HTTP {
            let text = format!("[package]\nname = \"{name}\"\n[dependencies]\n{library} = \"1\"\n");
            assert_eq!(manifest_findings("Cargo.toml", &text).len(), 1, "{name} and {library}");
        }
    }
}

#[test]
fn a_new_dependency_is_found_in_every_section() {
    for section in ["dependencies", "build-dependencies", "dev-dependencies", "target.'cfg(unix)'.dependencies"] {
        for line in ["kuraka-registry = \"1\"", "other = { package = \"kuraka-registry\", version = \"1\" }"] {
            let text = format!("[package]\nname = \"kuraka-app\"\n[{section}]\n{line}\n");
            assert_eq!(manifest_findings("Cargo.toml", &text).len(), 1, "{section}: {line}");
        }
    }
}

#[test]
fn a_dependency_of_the_tests_is_not_one_of_the_crate() {
    let text = |section: &str| {
        format!("[package]\nname = \"kuraka-registry\"\n[{section}]\nkuraka-sandbox = {{ workspace = true }}\n")
    };
    assert_none(&manifest_findings("Cargo.toml", &text("dev-dependencies")));
    assert_eq!(manifest_findings("Cargo.toml", &text("dependencies")).len(), 1);
}

#[test]
fn a_fuzz_package_uses_only_its_crate() {
    let text = |dependency: &str| {
        format!("[package]\nname = \"kuraka-registry-fuzz\"\n[dependencies]\n{dependency} = {{ path = \"..\" }}\n")
    };
    assert_none(&manifest_findings("Cargo.toml", &text("kuraka-registry")));
    assert_eq!(manifest_findings("Cargo.toml", &text("kuraka-server")).len(), 1);
}

#[test]
fn a_crate_depends_on_itself_only_in_tests() {
    let text = |section: &str| format!("[package]\nname = \"kuraka-ports\"\n[{section}]\nkuraka-ports = \"1\"\n");
    assert_none(&manifest_findings("Cargo.toml", &text("dev-dependencies")));
    assert_eq!(manifest_findings("Cargo.toml", &text("dependencies")).len(), 1);
}

#[test]
fn a_crate_that_is_not_in_the_table_is_found() {
    assert_eq!(manifest_findings("Cargo.toml", "[package]\nname = \"kuraka-annex\"\n").len(), 1);
}
