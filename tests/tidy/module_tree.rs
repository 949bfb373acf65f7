//! The modules of a crate as its files declare them, and the file behind a path such as `crate::a::Thing`.
//!
//! Names are followed through `use` to the file that defines them, as the compiler does it, but without types and macros.

use std::collections::{BTreeMap, BTreeSet};

use crate::rust_tokens::{Token, tokens_without_unit_tests};
use crate::tree::Tree;

/// Words before the name of an item.
const ITEMS: [&str; 9] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules"];

/// A path from the root of a crate to a module; empty is the root itself.
pub(crate) type ModulePath = Vec<String>;

/// The modules below one root file.
#[derive(Default)]
pub(crate) struct ModuleTree<'a> {
    modules: BTreeMap<ModulePath, Module<'a>>,
}

/// What one module says. A module that is written out inside a file is a module of its own with the same file.
#[derive(Default)]
pub(crate) struct Module<'a> {
    pub(crate) file: String,
    /// Names that `use` brings in.
    pub(crate) imports: Vec<Import<'a>>,
    /// Paths in the code, of one word or more, with their lines.
    pub(crate) paths: Vec<(Vec<&'a str>, usize)>,
    /// Names of the items that are defined here.
    items: BTreeSet<&'a str>,
}

/// What a path leads to: a module, or an item of the module with this path.
enum Meaning {
    Module,
    Item(ModulePath),
}

/// One name of a `use`.
pub(crate) struct Import<'a> {
    /// The name in this module; `*` brings in all.
    pub(crate) name: &'a str,
    pub(crate) path: Vec<&'a str>,
    pub(crate) line: usize,
}

impl<'a> ModuleTree<'a> {
    /// Reads the root file and every file that it declares, unit tests left out.
    pub(crate) fn read(tree: &'a Tree, root: &str) -> Self {
        let mut modules = Self::default();
        modules.read_file(tree, root, Vec::new());
        modules
    }

    /// Every module with its path.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&ModulePath, &Module<'a>)> {
        self.modules.iter()
    }

    fn read_file(&mut self, tree: &'a Tree, file: &str, at: ModulePath) {
        let Some(text) = tree.text(file) else { return };
        let found = tokens_without_unit_tests(text);
        let mut open = vec![(at, 0)];
        let (mut depth, mut next) = (0, 0);
        self.module(&open, file);
        while let Some(token) = found.get(next) {
            let ahead = found.get(next..).unwrap_or_default();
            let word = |offset: usize| ahead.get(offset).map_or("", |token| token.text);
            let before = next.checked_sub(1).and_then(|before| found.get(before)).map_or("", |token| token.text);
            next += 1;
            match token.text {
                "mod" if word(2) == ";" => {
                    let (parent, _) = open.last().cloned().unwrap_or_default();
                    let path = [parent.as_slice(), &[word(1).to_owned()]].concat();
                    let declared = attribute_path(found.get(..next - 1).unwrap_or_default());
                    self.read_file(tree, &file_of(file, &path, declared), path);
                    next += 2;
                }
                "mod" if word(2) == "{" => {
                    let (parent, _) = open.last().cloned().unwrap_or_default();
                    open.push(([parent.as_slice(), &[word(1).to_owned()]].concat(), depth));
                    self.module(&open, file);
                    next += 1;
                }
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if open.len() > 1 && open.last().is_some_and(|(_, start)| *start == depth) {
                        open.pop();
                    }
                }
                "use" if word(1) != "<" => {
                    let end = ahead.iter().position(|token| token.text == ";").unwrap_or(ahead.len());
                    let imports = &mut self.module(&open, file).imports;
                    use_tree(ahead.get(1..end).unwrap_or_default(), &[], imports);
                    next += end;
                }
                item if ITEMS.contains(&item) => {
                    // `const fn` is no name, and `fn(` is none either.
                    let name = if word(1) == "!" { 2 } else { 1 };
                    let named = ahead.get(name).filter(|token| token.is_word() && !ITEMS.contains(&token.text));
                    next += if named.is_some() { name } else { 0 };
                    self.module(&open, file).items.extend(named.map(|token| token.text));
                }
                _ if token.is_word() && before != "::" && before != "." => {
                    let path = path_at(ahead);
                    next += 2 * (path.len() - 1);
                    // `pub(in crate::a)`, and the name of a field or an argument.
                    let no_use = before == "in"
                        && found.get(next.saturating_sub(3)).is_some_and(|open| open.text == "(")
                        || path.len() == 1 && word(1) == ":";
                    if !no_use {
                        self.module(&open, file).paths.push((path, token.line));
                    }
                }
                _ => {}
            }
        }
    }

    fn module(&mut self, open: &[(ModulePath, usize)], file: &str) -> &mut Module<'a> {
        let path = open.last().map(|(path, _)| path.clone()).unwrap_or_default();
        let module = self.modules.entry(path).or_default();
        file.clone_into(&mut module.file);
        module
    }

    /// The file that defines the item `path` in the module `at`. Nothing for what other crates define, for a module,
    /// and for what the root itself defines.
    pub(crate) fn file(&self, at: &ModulePath, path: &[&'a str]) -> Option<&str> {
        match self.resolve(at, path, &mut BTreeSet::new())? {
            Meaning::Item(module) if !module.is_empty() => self.modules.get(&module).map(|module| module.file.as_str()),
            Meaning::Item(_) | Meaning::Module => None,
        }
    }

    /// Whether `path` begins with a part of the module `at`.
    pub(crate) fn is_part(&self, at: &ModulePath, path: &[&str]) -> bool {
        let name = path.iter().find(|word| **word != "self");
        name.is_some_and(|name| self.modules.contains_key(&child(at, name)))
    }

    /// What `path` means in the module `at`. `seen` stops a name that leads to itself.
    fn resolve(
        &self,
        at: &ModulePath,
        path: &[&'a str],
        seen: &mut BTreeSet<(ModulePath, Vec<&'a str>)>,
    ) -> Option<Meaning> {
        if !seen.insert((at.clone(), path.to_vec())) {
            return None;
        }
        let Some((&first, rest)) = path.split_first() else { return Some(Meaning::Module) };
        let module = self.modules.get(at)?;
        let below = child(at, first);
        match first {
            "crate" => self.resolve(&Vec::new(), rest, seen),
            "self" => self.resolve(at, rest, seen),
            "super" => self.resolve(&at.split_last()?.1.to_vec(), rest, seen),
            "*" => Some(Meaning::Item(at.clone())),
            item if rest.is_empty() && module.items.contains(item) => Some(Meaning::Item(at.clone())),
            name if self.modules.contains_key(&below) => {
                // A module may pass on an item of its own name.
                let item = if rest.is_empty() { self.imported(at, name, rest, seen) } else { None };
                item.or_else(|| self.resolve(&below, rest, seen))
            }
            item if module.items.contains(item) => Some(Meaning::Item(at.clone())),
            name => self.imported(at, name, rest, seen),
        }
    }

    /// What `name` and the path behind it mean where a `use` brings the name into the module `at`.
    fn imported(
        &self,
        at: &ModulePath,
        name: &'a str,
        rest: &[&'a str],
        seen: &mut BTreeSet<(ModulePath, Vec<&'a str>)>,
    ) -> Option<Meaning> {
        // `use a::a` of another crate leads from `a` to itself.
        let is_module = self.modules.contains_key(&child(at, name));
        let imports = self.modules.get(at)?.imports.iter();
        let imports = || imports.clone().filter(|import| is_module || import.path.first() != Some(&name));
        let named = imports().filter(|import| import.name == name).map(|import| import.path.clone());
        let globs = imports().filter(|import| import.name == "*").map(|import| {
            let all = import.path.split_last().map_or(&[][..], |(_, all)| all);
            [all, &[name]].concat()
        });
        named.chain(globs).find_map(|import| self.resolve(at, &[import.as_slice(), rest].concat(), seen))
    }
}

fn child(at: &ModulePath, name: &str) -> ModulePath {
    [at.as_slice(), &[name.to_owned()]].concat()
}

/// The file of the module `path` that `parent` declares, perhaps with `#[path = "…"]`.
fn file_of(parent: &str, path: &[String], declared: Option<&str>) -> String {
    let folder = parent.rsplit_once('/').map_or("", |(folder, _)| folder);
    let stem = parent.strip_suffix(".rs").unwrap_or(parent);
    let is_root = path.len() == 1;
    match declared {
        // The path is read from the folder of the file that says it.
        Some(declared) => format!("{folder}/{declared}"),
        None if is_root => format!("{folder}/{}.rs", path.concat()),
        None => format!("{stem}/{}.rs", path.last().map_or("", String::as_str)),
    }
}

/// The text of `#[path = "…"]` in the attributes at the end of `before`.
fn attribute_path<'a>(before: &[Token<'a>]) -> Option<&'a str> {
    let start = before.iter().rposition(|token| matches!(token.text, ";" | "{" | "}")).map_or(0, |at| at + 1);
    let attributes = before.get(start..)?;
    let at = attributes.windows(2).position(|two| two.iter().map(|token| token.text).eq(["[", "path"]))?;
    attributes.get(at + 3).map(|value| value.text.trim_matches('"'))
}

/// The path that begins with the first of these tokens.
fn path_at<'a>(ahead: &[Token<'a>]) -> Vec<&'a str> {
    let mut path = Vec::new();
    for pair in ahead.chunks(2) {
        let [word, rest @ ..] = pair else { break };
        if !word.is_word() {
            break;
        }
        path.push(word.text);
        if rest.first().is_none_or(|sign| sign.text != "::") {
            break;
        }
    }
    path
}

/// Adds every name of the tree between `use` and `;` to `found`. `prefix` is what stands before an open brace.
fn use_tree<'a>(tree: &[Token<'a>], prefix: &[&'a str], found: &mut Vec<Import<'a>>) {
    for branch in branches(tree) {
        let brace = branch.iter().position(|token| token.text == "{");
        let words = branch.get(..brace.unwrap_or(branch.len())).unwrap_or_default();
        let alias = words.iter().position(|token| token.text == "as");
        let names = words.get(..alias.unwrap_or(words.len())).unwrap_or_default();
        let path: Vec<&str> =
            prefix.iter().copied().chain(names.iter().map(|token| token.text).filter(|text| *text != "::")).collect();
        if let Some(brace) = brace {
            use_tree(branch.get(brace + 1..branch.len() - 1).unwrap_or_default(), &path, found);
        } else if let Some(last) = names.last() {
            // `use a::{self}` brings in `a`.
            let path = if path.len() > 1 && last.text == "self" {
                path.get(..path.len() - 1).unwrap_or_default().to_vec()
            } else {
                path
            };
            let name = words.get(alias.unwrap_or(words.len()) + 1..).and_then(|after| after.first());
            let name = name.map_or(path.last().copied().unwrap_or_default(), |name| name.text);
            found.push(Import { name, path, line: last.line });
        }
    }
}

/// The parts between the commas that stand outside of braces.
fn branches<'t, 'a>(tree: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let mut depth = 0;
    tree.split(|token| {
        depth += usize::from(token.text == "{");
        depth -= usize::from(token.text == "}");
        token.text == "," && depth == 0
    })
    .filter(|branch| !branch.is_empty())
    .collect()
}
