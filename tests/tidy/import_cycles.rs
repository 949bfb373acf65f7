//! The files of a crate form no cycle: a file can be read, tested and moved with only those below it. Its folders form
//! no cycle either.
//!
//! A file uses another if it names an item that the other defines. A name that a module passes on is followed to the
//! file that defines it, so that `mod` and `pub use` of its parts are no use of them. The root of a crate is exempt.

use std::collections::{BTreeMap, BTreeSet};

use crate::module_tree::{Module, ModuleTree, Words};
use crate::tree::{Finding, Tree, assert_none};

/// Each file or folder with those that it uses, and an example of what it names there.
type Uses = BTreeMap<String, BTreeMap<String, String>>;

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    cycles(&uses(tree))
}

/// As [`findings`], of folders.
pub(crate) fn folder_findings(tree: &Tree) -> Vec<Finding> {
    cycles(&folder_uses(tree))
}

/// The uses that are part of a cycle.
fn cycles(all: &Uses) -> Vec<Finding> {
    let mut found = Vec::new();
    for (from, uses) in all {
        for (to, example) in uses.iter().filter(|(to, _)| reaches(all, to, from)) {
            let way = way(all, to, from);
            found.push(Finding::file(from, format!("uses {to} ({example}), which uses it back: {way}")));
        }
    }
    found
}

/// What the files of every crate use of their own crate.
fn uses(tree: &Tree) -> Uses {
    let mut found = Uses::new();
    for_each_use(tree, |_, [from, to], words| add(&mut found, from.file.clone(), to.file.clone(), words));
    found
}

/// What the folders of every crate use of the folders and files beside them. The file that declares the modules of a
/// folder belongs to it. A file that several modules declare with `#[path = "…"]` belongs to each of them.
fn folder_uses(tree: &Tree) -> Uses {
    let mut found = Uses::new();
    for_each_use(tree, |root, [from, to], words| {
        let same = from.path.iter().zip(&to.path).take_while(|(from, to)| from == to).count();
        let sources = root.split_inclusive("/src/").next().unwrap_or(root);
        if let (Some(from), Some(to)) = (from.path.get(..=same), to.path.get(..=same)) {
            let part = |path: &[String]| format!("{sources}{}", path.join("/"));
            add(&mut found, part(from), part(to), words);
        }
    });
    found
}

fn add(uses: &mut Uses, from: String, to: String, words: &Words) {
    if from != to {
        uses.entry(from).or_default().entry(to).or_insert_with(|| words.join("::"));
    }
}

/// Visits the root of a crate, a module, a module of which it names an item, and the words of that name.
fn for_each_use(tree: &Tree, mut visit: impl FnMut(&str, [&Module; 2], &Words)) {
    for (root, _) in tree.files().filter(|(path, _)| is_root(path)) {
        let modules = ModuleTree::read(tree, root);
        for module in modules.iter() {
            let first_words: BTreeSet<&String> = module.names.iter().filter_map(|words| words.first()).collect();
            // A name that is not said again is a trait, or is passed on. Parts may be passed on, for they are no other file's.
            let silent = module.imports.iter().filter(|import| !first_words.contains(&import.name));
            let silent = silent.map(|import| &import.words).filter(|words| !modules.is_part(&module.path, words));
            for words in module.names.iter().chain(silent) {
                if let Some(other) = modules.definer(&module.path, words) {
                    visit(root, [module, other], words);
                }
            }
        }
    }
}

/// Whether the file is where a library or a program of a crate begins.
fn is_root(path: &str) -> bool {
    (path.starts_with("crates/") || path.starts_with("generators/"))
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

/// The uses in a made-up crate of these files, as `from>to` without folder and ending.
fn uses_of(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<(String, &str)> =
        files.iter().map(|(path, text)| (format!("crates/a/src/{path}.rs"), *text)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let short = |path: &str| path.trim_start_matches("crates/a/src/").trim_end_matches(".rs").to_owned();
    let uses = uses(&Tree::from_files(&files));
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
        "fn f() { println!(\"{}\", super::b::make()) }",
        "#[arg(value_parser = crate::b::make)] struct Own;",
        "#[cfg(test)]\nmod tests {} fn f() { crate::b::make() }",
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
        "#[cfg(test)]\nfn f() { crate::b::make() }",
        "struct Own; impl Own { #[cfg(test)] fn f() { crate::b::make() } }",
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
    ("crates/a/src/a.rs", "use crate::b::B; struct A;"),
    ("crates/a/src/b.rs", "use crate::c::C; struct B;"),
    ("crates/a/src/c.rs", "use crate::a::A; struct C;"),
];

#[test]
fn a_cycle_is_found_with_its_way() {
    let found = findings(&Tree::from_files(&THREE));
    let way = "crates/a/src/b.rs → crates/a/src/c.rs → crates/a/src/a.rs";
    assert_eq!(found.len(), 3);
    let text = format!("uses crates/a/src/b.rs (crate::b::B), which uses it back: {way}");
    assert_eq!(found[0], Finding::file("crates/a/src/a.rs", text));
}

#[test]
fn each_program_of_a_crate_has_modules_of_its_own() {
    let tree = Tree::from_files(&[
        ("crates/a/src/lib.rs", "mod x;"),
        ("crates/a/src/main.rs", "mod y; mod z;"),
        ("crates/a/src/x.rs", "pub struct X;"),
        ("crates/a/src/y.rs", "use crate::z::Z; struct Y;"),
        ("crates/a/src/z.rs", "use crate::y::Y; struct Z;"),
    ]);
    assert_eq!(findings(&tree).len(), 2);
}

/// Folders that use each other, although their files do not.
const FOLDERS: [(&str, &str); 6] = [
    ("crates/a/src/lib.rs", "mod x; mod y;"),
    ("crates/a/src/x.rs", "mod one; mod two;"),
    ("crates/a/src/x/one.rs", "use crate::y::Y; pub struct One; fn f() -> Y {}"),
    ("crates/a/src/x/two.rs", "pub struct Two; fn f() -> super::one::One {}"),
    ("crates/a/src/y.rs", "mod part; pub struct Y;"),
    ("crates/a/src/y/part.rs", "fn f() -> crate::x::two::Two {}"),
];

#[test]
fn a_cycle_of_folders_without_a_cycle_of_files_is_found() {
    let tree = Tree::from_files(&FOLDERS);
    assert_none(&findings(&tree));
    let found = folder_findings(&tree);
    let way = "crates/a/src/y → crates/a/src/x";
    let text = format!("uses crates/a/src/y (Y), which uses it back: {way}");
    assert_eq!((found.len(), &found[0]), (2, &Finding::file("crates/a/src/x", text)));
}

#[test]
fn a_file_with_another_path_belongs_to_the_folder_that_declares_it() {
    let tree = Tree::from_files(&[
        ("crates/a/src/lib.rs", "mod x; mod y;"),
        ("crates/a/src/x.rs", "#[path = \"shared/part.rs\"]\nmod part; struct Own; fn f() -> part::Part {}"),
        ("crates/a/src/y.rs", "#[path = \"shared/part.rs\"]\nmod part; struct Own; fn f() -> part::Part {}"),
        ("crates/a/src/shared/part.rs", "pub struct Part; fn f() -> super::Own {}"),
    ]);
    assert_none(&folder_findings(&tree));
}
