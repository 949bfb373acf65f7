//! Every implementation of a port runs the port's contract suite, fakes and decorators included.
//!
//! A suite names the type it runs on, `contract!(tokens, MemoryStore, …)`, and the compiler checks that it does. This
//! rule compares those names with every `impl Port for Type` in the sources. `contract!(store, …)` runs the suites that
//! its list names.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::visit::Visit;
use syn::{Ident, Macro, Path, Token};

use crate::tree::{Finding, Tree, assert_none, is_test_file, split_unit_tests};

const PORTS: &str = "crates/ports/src/";
const SUITES: &str = "crates/ports/src/contract/";

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let suites = suites(tree);
    let mut found = ports_without_a_suite(tree, &suites);
    let runs = runs(tree);
    let of_store = suites_of_store(tree);
    for (path, text) in tree.ending(".rs").filter(|(path, _)| path.starts_with("crates/") && !is_test_file(path)) {
        let code = split_unit_tests(text).0;
        for (line, port, implementation) in implementations(code) {
            let Some(suite) = suites.get(port) else { continue };
            for name in meanings(tree, path, implementation) {
                let runs = |suite: &String| runs.contains(&(suite.clone(), name.clone()));
                if !(runs(suite) || of_store.contains(suite) && runs(&"store".to_owned())) {
                    let why = format!("{name} implements {port}: run contract!({suite}, {name}, …) in a test");
                    found.push(Finding::line(path, line, why));
                }
            }
        }
    }
    found
}

/// The suite of each port: the last trait that its first promise asks for, since a suite may need another to set out.
fn suites(tree: &Tree) -> BTreeMap<String, String> {
    let files = tree.ending(".rs").filter(|(path, _)| path.starts_with(SUITES));
    files
        .filter_map(|(path, text)| {
            let suite = path.strip_prefix(SUITES)?.strip_suffix(".rs").filter(|suite| *suite != "samples")?;
            let bounds = between(text.split_once("pub async fn ")?.1, "<", ">")?;
            Some((bounds.rsplit([':', '+']).next()?.trim().to_owned(), suite.to_owned()))
        })
        .collect()
}

/// The suites that `contract!(store, …)` runs.
fn suites_of_store(tree: &Tree) -> BTreeSet<String> {
    let macros = tree.ending("crates/ports/src/contract.rs").next().map_or("", |(_, text)| text);
    let list = between(macros, "@store, $subject, $fresh,", "}").unwrap_or_default();
    list.split(',').map(|suite| suite.trim().to_owned()).collect()
}

/// Files with traits of which none has a suite. A trait beside one that has a suite is a part of that port.
fn ports_without_a_suite(tree: &Tree, suites: &BTreeMap<String, String>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (path, text) in tree.ending(".rs") {
        let is_port = path.strip_prefix(PORTS).is_some_and(|file| !file.contains('/'));
        let traits: Vec<&str> = text.split("\npub trait ").skip(1).map(name_of).collect();
        if is_port && !traits.is_empty() && !traits.iter().any(|name| suites.contains_key(*name)) {
            found.push(Finding::file(path, format!("{} has no suite in {SUITES}", traits.join(", "))));
        }
    }
    found
}

/// Suite and type of every suite that a test of a crate runs.
fn runs(tree: &Tree) -> BTreeSet<(String, String)> {
    let mut runs = Runs::default();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| path.starts_with("crates/") && is_test_file(path)) {
        runs.visit_file(&syn::parse_file(text).unwrap_or_else(|error| panic!("{path} is not Rust: {error}")));
    }
    runs.0
}

/// Collects calls such as `ports::contract!(clock, super::Slow<Fast>, slow())`.
#[derive(Default)]
struct Runs(BTreeSet<(String, String)>);

impl<'ast> Visit<'ast> for Runs {
    fn visit_macro(&mut self, call: &'ast Macro) {
        if call.path.segments.last().is_none_or(|last| last.ident != "contract") {
            return;
        }
        let run = call.parse_body_with(|arguments: ParseStream<'_>| {
            let suite: Ident = arguments.parse()?;
            arguments.parse::<Token![,]>()?;
            let path: Path = arguments.parse()?;
            arguments.parse::<TokenStream>()?;
            Ok((suite.to_string(), path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default()))
        });
        self.0.extend(run);
    }
}

/// Every `impl Port for Type`: its line, counted from 1, the trait's name and the type's.
fn implementations(code: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let heads = code.match_indices("\nimpl").filter_map(|(at, _)| {
        let head = code[at + 1..].split('{').next()?;
        Some((code[..=at].lines().count() + 1, head))
    });
    heads.filter_map(|(line, head)| {
        let (before, after) = head.split_once(" for ")?;
        let port = before.trim_end().rsplit(|c: char| !is_name(c)).next()?;
        Some((line, port, name_of(after)))
    })
}

/// The types that a name stands for in a file: itself, or what its crate gives that name to.
fn meanings(tree: &Tree, path: &str, name: &str) -> Vec<String> {
    let sources = path.split_inclusive('/').take(3).collect::<String>();
    let aliased = format!(" as {name};");
    let files = tree.ending(".rs").filter(|(file, _)| file.starts_with(&sources));
    let originals: Vec<String> = files
        .flat_map(|(_, text)| text.match_indices(&aliased).map(|(at, _)| &text[..at]))
        .filter_map(|before| before.rsplit(|c: char| !is_name(c)).next().map(str::to_owned))
        .collect();
    if originals.is_empty() { vec![name.to_owned()] } else { originals }
}

/// The last name of the path that a text begins with.
fn name_of(text: &str) -> &str {
    let path = text.trim_start().split(|c: char| !is_name(c) && c != ':').next().unwrap_or_default();
    path.trim_end_matches(':').rsplit(':').next().unwrap_or_default()
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    text.split_once(start)?.1.split_once(end).map(|(inside, _)| inside)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[test]
fn the_suites_of_the_repository_are_recognised() {
    let tree = Tree::repository();
    assert!(suites(&tree).len() >= 10 && runs(&tree).len() >= 20);
}

/// A port with a suite.
const CLOCK: [(&str, &str); 2] = [
    ("crates/ports/src/clock.rs", "\npub trait Clock: Send {\n"),
    ("crates/ports/src/contract/clock.rs", "pub async fn one<S: Start + Clock>() {}\n"),
];

#[test]
fn an_implementation_without_a_run_is_found() {
    let source = ("crates/a/src/time.rs", "//!\n\nimpl<T: Clock + ?Sized> ports::Clock for Slow<T> {\n");
    let other = ("crates/a/tests/it/main.rs", "ports::contract!(clock, Fast, fast());\n");
    let [finding] =
        findings(&Tree::from_files(&[&CLOCK[..], &[source, other]].concat())).try_into().expect("one finding");
    assert_eq!(finding, Finding::line(source.0, 3, "Slow implements Clock: run contract!(clock, Slow, …) in a test"));
    let comment = ("crates/a/tests/it/comment.rs", "// ports::contract!(clock, Slow, slow());\n");
    assert_eq!(
        findings(&Tree::from_files(&[&CLOCK[..], &[source, comment]].concat())).len(),
        1,
        "a comment runs nothing"
    );
    let run = ("crates/a/tests/it/slow.rs", "ports::contract!(clock, super::Slow<Fast>, slow());\n");
    assert_none(&findings(&Tree::from_files(&[&CLOCK[..], &[source, other, run]].concat())));
}

#[test]
fn a_name_given_to_several_types_stands_for_each() {
    let files = [
        ("crates/a/src/one.rs", "use self::One as Store;\n"),
        ("crates/a/src/two.rs", "use self::Two as Store;\n"),
        ("crates/a/src/sql.rs", "\nimpl Clock for Store {\n"),
        ("crates/a/tests/it/main.rs", "ports::contract!(clock, One, one());\n"),
    ];
    assert_eq!(findings(&Tree::from_files(&[&CLOCK[..], &files].concat())).len(), 1, "Two runs nothing");
}

#[test]
fn a_port_without_a_suite_is_found_and_a_part_of_a_port_is_not() {
    let lone = ("crates/ports/src/dice.rs", "\npub trait Dice {\n");
    let part = ("crates/ports/src/clock.rs", "\npub trait Hand {\n}\n\npub trait Clock {\n");
    assert_eq!(findings(&Tree::from_files(&[CLOCK[1], lone, part])).len(), 1);
}
