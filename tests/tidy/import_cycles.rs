//! The files of a crate form no cycle: a file can be read, tested and moved with only those below it.
//!
//! A file uses another if it names an item that the other defines. A name that a module passes on is followed to the
//! file that defines it, so that `mod` and `pub use` of its parts are no use of them. The root of a crate is exempt.

use std::collections::{BTreeMap, BTreeSet};

use crate::module_tree::ModuleTree;
use crate::tree::{Finding, Tree, assert_none};

/// Uses that are part of a cycle, as (file, used file). The list may only shrink.
const ALLOWED: &[(&str, &str)] = &[];

/// Each file with the files that it uses, and the first line that does.
type Uses = BTreeMap<String, BTreeMap<String, usize>>;

fn findings(tree: &Tree, allowed: &[(&str, &str)]) -> Vec<Finding> {
    let all = uses(tree);
    let mut found = Vec::new();
    let mut kept = all.clone();
    for &(from, to) in allowed {
        if !reaches(&all, to, from) || !all.get(from).is_some_and(|uses| uses.contains_key(to)) {
            found.push(Finding::file(from, format!("is in no cycle through {to}: remove it from the list")));
        }
        if let Some(uses) = kept.get_mut(from) {
            uses.remove(to);
        }
    }
    for (from, uses) in &kept {
        for (to, line) in uses.iter().filter(|(to, _)| reaches(&kept, to, from)) {
            found.push(Finding::line(from, *line, format!("uses {to}, which uses it back: {}", way(&kept, to, from))));
        }
    }
    found
}

/// What the files of every crate use of their own crate.
fn uses(tree: &Tree) -> Uses {
    let mut found = Uses::new();
    for (root, _) in tree.files().filter(|(path, _)| is_root(path)) {
        let modules = ModuleTree::read(tree, root);
        for (at, module) in modules.iter() {
            let words = || module.paths.iter().filter_map(|(path, _)| path.first());
            // A name that is not said again is a trait, or is passed on. Parts may be passed on, for they are no other file's.
            let silent = module.imports.iter().filter(|import| !words().any(|word| *word == import.name));
            let silent = silent.filter(|import| !modules.is_part(at, &import.path));
            let paths = module.paths.iter().map(|(path, line)| (path, line));
            for (path, line) in paths.chain(silent.map(|import| (&import.path, &import.line))) {
                if let Some(file) = modules.file(at, path).filter(|file| *file != module.file) {
                    let uses = found.entry(module.file.clone()).or_default();
                    uses.entry(file.to_owned()).or_insert(*line);
                }
            }
        }
    }
    found
}

/// Whether the file is where a library or a program of a crate begins.
fn is_root(path: &str) -> bool {
    path.starts_with("crates/")
        && path.split_once("/src/").is_some_and(|(_, file)| {
            matches!(file, "lib.rs" | "main.rs") || file.strip_prefix("bin/").is_some_and(|name| !name.contains('/'))
        })
}

/// Whether `from` uses `to`, directly or through others.
fn reaches(uses: &Uses, from: &str, to: &str) -> bool {
    !way(uses, from, to).is_empty()
}

/// The shortest way from one file to another, for a reader; empty if there is none.
fn way(uses: &Uses, from: &str, to: &str) -> String {
    let mut seen = BTreeSet::from([from]);
    let mut ways = vec![vec![from]];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let last = way.last().copied().unwrap_or_default();
            if last == to {
                return way.join(" → ");
            }
            for next in uses.get(last).into_iter().flat_map(BTreeMap::keys).filter(|next| seen.insert(next)) {
                longer.push([way.as_slice(), &[next.as_str()]].concat());
            }
        }
        ways = longer;
    }
    String::new()
}

#[test]
fn no_files_of_a_crate_use_each_other() {
    assert_none(&findings(&Tree::repository(), ALLOWED));
}

/// The uses in a made-up crate of these files, as `from>to` without folder and ending.
fn uses_of(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<(String, &str)> =
        files.iter().map(|(path, text)| (format!("crates/a/src/{path}.rs"), *text)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let short = |path: &str| path.trim_start_matches("crates/a/src/").trim_end_matches(".rs").to_owned();
    let uses = uses(&Tree::of(&files));
    uses.iter().flat_map(|(from, to)| to.keys().map(move |to| format!("{}>{}", short(from), short(to)))).collect()
}

#[test]
fn every_form_of_a_path_is_a_use() {
    for line in [
        "use crate::b::Thing;",
        "use super::b::Thing;",
        "use crate::{c, b::{self, Thing}}; fn f() { b::make() }",
        "use crate::b as other; fn f() { other::make() }",
        "use crate::b; fn f() -> b::Thing {}",
        "use super::*; fn f() -> Thing {}",
        "fn f() -> crate::b::Thing {}",
        "fn f() { super::b::make() }",
        "macro_rules! m { () => { $crate::b::make() } }",
        "mod inner { use super::super::b::Thing; }",
        "use crate::b::*;",
        "use crate::b::Thing as _;",
    ] {
        let files =
            [("lib", "mod a; mod b; pub use b::Thing;"), ("a", line), ("b", "pub struct Thing; pub fn make() {}")];
        assert_eq!(uses_of(&files), ["a>b"], "{line}");
    }
}

#[test]
fn what_names_no_item_of_another_file_is_no_use() {
    for line in [
        "use std::fmt; fn f() -> fmt::Result {}",
        "pub(super) fn f() {} pub(in crate::b) fn g() {}",
        "// crate::b::Thing",
        "const A: &str = \"crate::b::Thing\";",
        "fn f(b: u8) -> u8 { b.b().make() }",
        "#[cfg(test)]\nmod tests { use crate::b::Thing; }",
        "struct Thing; fn f() -> Thing {}",
    ] {
        let line = format!("\n{line}");
        let files = [("lib", "mod a; mod b;"), ("a", line.as_str()), ("b", "pub struct Thing; pub fn make() {}")];
        assert!(uses_of(&files).is_empty(), "{line}");
    }
}

#[test]
fn a_name_is_followed_to_the_file_that_defines_it() {
    let files = [
        ("lib", "mod a; mod b; pub use a::Thing;"),
        ("a", "mod first; mod second; pub use self::first::Thing; use second::Other; pub struct Own;"),
        ("a/first", "use super::Other;\npub struct Thing;"),
        ("a/second", "pub struct Other;"),
        ("b", "use crate::Thing; fn f() -> crate::a::Own {}"),
    ];
    assert_eq!(uses_of(&files), ["a/first>a/second", "b>a", "b>a/first"]);
}

#[test]
fn a_module_uses_the_parts_that_its_own_code_names() {
    let files = [
        ("lib", "mod a;"),
        ("a", "mod part; pub use part::make; pub struct Own; fn f() { make() }"),
        ("a/part", "use super::Own; pub fn make() -> Own {}"),
    ];
    assert_eq!(uses_of(&files), ["a>a/part", "a/part>a"]);
}

#[test]
fn a_file_with_another_path_is_read_where_it_is_declared() {
    let files = [
        ("lib", "mod a; mod b;"),
        ("a", "#[path = \"shared/part.rs\"]\nmod part; struct Own;"),
        ("b", "#[cfg(unix)]\n#[path = \"shared/part.rs\"]\nmod part; struct Own;"),
        ("shared/part", "fn f() -> super::Own {}"),
    ];
    assert_eq!(uses_of(&files), ["shared/part>a", "shared/part>b"]);
}

const THREE: [(&str, &str); 4] = [
    ("crates/a/src/lib.rs", "mod a; mod b; mod c;"),
    ("crates/a/src/a.rs", "\nuse crate::b::B; struct A;"),
    ("crates/a/src/b.rs", "use crate::c::C; struct B;"),
    ("crates/a/src/c.rs", "use crate::a::A; struct C;"),
];

#[test]
fn a_cycle_is_found_with_its_way() {
    let found = findings(&Tree::of(&THREE), &[]);
    let way = "crates/a/src/b.rs → crates/a/src/c.rs → crates/a/src/a.rs";
    assert_eq!(found.len(), 3);
    let text = format!("uses crates/a/src/b.rs, which uses it back: {way}");
    assert_eq!(found[0], Finding::line("crates/a/src/a.rs", 2, text));
}

#[test]
fn the_list_of_allowed_uses_only_shrinks() {
    let one = ("crates/a/src/c.rs", "crates/a/src/a.rs");
    assert_none(&findings(&Tree::of(&THREE), &[one]));
    assert_eq!(findings(&Tree::of(&THREE[..3]), &[one]).len(), 1, "the cycle is gone");
    assert_eq!(findings(&Tree::of(&THREE), &[one, ("crates/a/src/a.rs", "crates/a/src/c.rs")]).len(), 1, "no such use");
}

#[test]
fn each_program_of_a_crate_has_modules_of_its_own() {
    let tree = Tree::of(&[
        ("crates/a/src/lib.rs", "mod x;"),
        ("crates/a/src/main.rs", "mod y; mod z;"),
        ("crates/a/src/x.rs", "pub struct X;"),
        ("crates/a/src/y.rs", "use crate::z::Z; struct Y;"),
        ("crates/a/src/z.rs", "use crate::y::Y; struct Z;"),
    ]);
    assert_eq!(findings(&tree, &[]).len(), 2);
}
