//! What the dependency tree may contain, as `deny.toml` says: allowed licences, banned crates, the public registry.
//!
//! `make deny` reads the same file with cargo-deny, which also checks the texts of licences, entries that nothing needs, and
//! the advisories. In a clean clone it would have to be compiled first, which takes a third as long as the dependencies of
//! the whole workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, ParseMode};
use toml::Table;

use crate::tree::{Finding, Tree, assert_none};

const POLICY: &str = "deny.toml";
/// As Cargo.lock writes the public registry.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// A crate of the dependency tree.
struct Package {
    name: String,
    licence: String,
    /// The crates that use it.
    users: BTreeSet<String>,
}

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let policy: Table = tree.text(POLICY).unwrap_or_default().parse().expect("the policy is TOML");
    let unverified = tree.ending("Cargo.lock").flat_map(|(path, text)| unverified(path, text));
    let targets = texts(policy.get("graph"), "targets");
    unverified.chain(packages(&targets).iter().flat_map(|package| breaches(package, &policy))).collect()
}

/// Crates that are locked without a checksum, or to another source than the public registry.
fn unverified(path: &str, text: &str) -> Vec<Finding> {
    let lock: Table = text.parse().expect("the lock file is TOML");
    let packages = lock.get("package").and_then(toml::Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text_of = |package: &toml::Value, key: &str| package.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let is_verified = |package: &&toml::Value| {
        text_of(package, "source").is_none_or(|source| source == REGISTRY && package.get("checksum").is_some())
    };
    let unverified = packages.iter().filter(|package| !is_verified(package));
    let name = |package: &toml::Value| text_of(package, "name").unwrap_or_default();
    unverified
        .map(|package| {
            Finding::file(path, format!("{} is not from the public registry, with a checksum", name(package)))
        })
        .collect()
}

/// The dependencies of the workspace with all features on these targets.
fn packages(targets: &[&str]) -> Vec<Package> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests live below the root"));
    command.args(["metadata", "--format-version=1", "--locked", "--all-features"]);
    command.args(targets.iter().flat_map(|target| ["--filter-platform", target]));
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();

    let all = list(&metadata["packages"]);
    let names: BTreeMap<_, _> = all.iter().map(|package| (text(&package["id"]), text(&package["name"]))).collect();
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        for dependency in list(&node["dependencies"]) {
            users.entry(text(dependency)).or_default().insert(names[&text(&node["id"])].clone());
        }
    }
    let outside = all.iter().filter(|package| !package["source"].is_null());
    outside
        .map(|package| Package {
            name: text(&package["name"]),
            licence: text(&package["license"]),
            users: users.remove(&text(&package["id"])).unwrap_or_default(),
        })
        .collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// What this policy says against a crate.
fn breaches(package: &Package, policy: &Table) -> Vec<Finding> {
    let Package { name, licence, users } = package;
    let mut found = Vec::new();

    let licences = policy.get("licenses");
    let exceptions = entries(licences, "exceptions", name).flat_map(|exception| texts(Some(exception), "allow"));
    let allowed: Vec<&str> = texts(licences, "allow").into_iter().chain(exceptions).collect();
    let is_allowed = Expression::parse_mode(licence, ParseMode::LAX).is_ok_and(|expression| {
        expression.evaluate(|asked| asked.addition.is_none() && allowed.contains(&asked.license.to_string().as_str()))
    });
    if !is_allowed {
        found.push(Finding::file(POLICY, format!("{name} is licensed as {licence:?}, which is not allowed")));
    }

    for ban in entries(policy.get("bans"), "deny", name) {
        let wrappers = texts(Some(ban), "wrappers");
        if users.is_empty() || !users.iter().all(|user| wrappers.contains(&user.as_str())) {
            found.push(Finding::file(POLICY, format!("{name} is banned, and {users:?} use it")));
        }
    }
    found
}

/// The entries for this crate in a list of a section.
fn entries<'a>(section: Option<&'a toml::Value>, list: &str, name: &str) -> impl Iterator<Item = &'a toml::Value> {
    let entries = section.and_then(|section| section.get(list)).and_then(toml::Value::as_array);
    entries.into_iter().flatten().filter(move |entry| entry.get("crate").and_then(toml::Value::as_str) == Some(name))
}

fn texts<'a>(section: Option<&'a toml::Value>, list: &str) -> Vec<&'a str> {
    let list = section.and_then(|section| section.get(list)).and_then(toml::Value::as_array);
    list.into_iter().flatten().filter_map(toml::Value::as_str).collect()
}

#[test]
fn a_licence_that_is_not_allowed_is_found() {
    let policy = "[licenses]\nallow = [\"MIT\", \"ISC\"]\nexceptions = [{ crate = \"a\", allow = [\"MPL-2.0\"] }]\n";
    let policy: Table = policy.parse().expect("TOML");
    let breaches = |name: &str, licence: &str| {
        breaches(&Package { name: name.to_owned(), licence: licence.to_owned(), users: BTreeSet::new() }, &policy)
    };
    for licence in ["MIT", "GPL-3.0-only OR MIT", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND ISC", "MPL-2.0"] {
        assert_none(&breaches("a", licence));
    }
    for licence in ["", "MIT AND GPL-3.0-only", "MIT WITH LLVM-exception", "GPL-3.0-only", "anything"] {
        assert_eq!(breaches("a", licence).len(), 1, "{licence}");
    }
    assert_eq!(breaches("b", "MPL-2.0").len(), 1);
}

#[test]
fn a_banned_crate_is_found_unless_only_its_wrappers_use_it() {
    let policy =
        "[licenses]\nallow = [\"MIT\"]\n[bans]\ndeny = [{ crate = \"a\", wrappers = [\"w\"] }, { crate = \"b\" }]\n";
    let policy: Table = policy.parse().expect("TOML");
    let breaches = |name: &str, users: &[&str]| {
        let users = users.iter().map(|&user| user.to_owned()).collect();
        breaches(&Package { name: name.to_owned(), licence: "MIT".to_owned(), users }, &policy).len()
    };
    assert_eq!([breaches("a", &["w"]), breaches("c", &["x"])], [0, 0]);
    assert_eq!([breaches("a", &["w", "x"]), breaches("b", &["w"])], [1, 1]);
}

#[test]
fn a_crate_of_another_source_is_found() {
    let lock = |source: &str| format!("[[package]]\nname = \"a\"\n{source}");
    for own_or_verified in [String::new(), format!("source = \"{REGISTRY}\"\nchecksum = \"1\"\n")] {
        assert_none(&unverified("Cargo.lock", &lock(&own_or_verified)));
    }
    let without_checksum = format!("source = \"{REGISTRY}\"\n");
    for source in ["source = \"registry+two\"\nchecksum = \"1\"\n", "source = \"git+one\"\n", &without_checksum] {
        assert_eq!(unverified("Cargo.lock", &lock(source)).len(), 1, "{source}");
    }
}

#[test]
fn the_dependencies_are_known_with_their_licences_and_users() {
    let all = packages(&["x86_64-unknown-linux-gnu"]);
    let known = all.iter().find(|package| package.name == "serde_json").expect("the server uses it");
    assert!(known.users.contains("kuraka-server") && known.licence.contains("MIT"), "{}", known.licence);
}
