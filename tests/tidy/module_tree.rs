//! The modules of a crate as its files declare them, and the file behind a path such as `crate::a::Thing`.
//!
//! Names are followed through `use` to the file that defines them, as the compiler does it, but without types. In the
//! arguments of macros and attributes every word is a path.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ExprLit, Ident, ImplItemFn, Item, ItemMod, ItemUse, Lit, Macro, Meta, MetaList, Path, UseTree,
};

use crate::tree::Tree;

/// A path from the root of a crate to a module; empty is the root itself.
pub(crate) type ModulePath = Vec<String>;

/// The words of a path in the code, such as `crate::a::Thing`.
pub(crate) type Words = Vec<String>;

/// The modules below one root file.
#[derive(Default)]
pub(crate) struct ModuleTree {
    modules: BTreeMap<ModulePath, Module>,
}

/// What one module says. A module that is written out inside a file is a module of its own with the same file.
#[derive(Default)]
pub(crate) struct Module {
    pub(crate) path: ModulePath,
    pub(crate) file: String,
    /// Names that `use` brings in.
    pub(crate) imports: Vec<Import>,
    /// Names in the code, of one word or more.
    pub(crate) names: BTreeSet<Words>,
    /// Names of the items that are defined here.
    items: BTreeSet<String>,
}

/// What a path leads to: a module, or an item of the module with this path.
enum Meaning {
    Module,
    Item(ModulePath),
}

/// One name of a `use`.
pub(crate) struct Import {
    /// The name in this module; `*` brings in all.
    pub(crate) name: String,
    pub(crate) words: Words,
}

impl ModuleTree {
    /// Reads the root file and every file that it declares, unit tests left out.
    pub(crate) fn read(tree: &Tree, root: &str) -> Self {
        let mut modules = Self::default();
        modules.read_file(tree, root, Vec::new());
        modules
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Module> {
        self.modules.values()
    }

    fn read_file(&mut self, tree: &Tree, file: &str, at: ModulePath) {
        let Some(text) = tree.text(file) else { return };
        let code = syn::parse_file(text).unwrap_or_else(|error| panic!("{file} is not Rust: {error}"));
        let mut reader = Reader { tree, file, at, modules: self };
        reader.module();
        reader.visit_file(&code);
    }

    /// The module that defines the item `words` in the module `at`. Nothing for what other crates define, for a module,
    /// and for what the root itself defines.
    pub(crate) fn definer(&self, at: &ModulePath, words: &[String]) -> Option<&Module> {
        match self.resolve(at, words, &mut BTreeSet::new())? {
            Meaning::Item(module) if !module.is_empty() => self.modules.get(&module),
            Meaning::Item(_) | Meaning::Module => None,
        }
    }

    /// Whether `path` begins with a part of the module `at`.
    pub(crate) fn is_part(&self, at: &ModulePath, path: &[String]) -> bool {
        let name = path.iter().find(|word| *word != "self");
        name.is_some_and(|name| self.modules.contains_key(&child(at, name)))
    }

    /// What `path` means in the module `at`. `seen` stops a name that leads to itself.
    fn resolve(&self, at: &ModulePath, path: &[String], seen: &mut BTreeSet<(ModulePath, Words)>) -> Option<Meaning> {
        if !seen.insert((at.clone(), path.to_vec())) {
            return None;
        }
        let Some((first, rest)) = path.split_first() else { return Some(Meaning::Module) };
        let module = self.modules.get(at)?;
        let below = child(at, first);
        match first.as_str() {
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
        name: &str,
        rest: &[String],
        seen: &mut BTreeSet<(ModulePath, Words)>,
    ) -> Option<Meaning> {
        // `use a::a` of another crate leads from `a` to itself.
        let is_module = self.modules.contains_key(&child(at, name));
        let imports = self.modules.get(at)?.imports.iter();
        let imports =
            || imports.clone().filter(|import| is_module || import.words.first().is_none_or(|first| first != name));
        let named = imports().filter(|import| import.name == name).map(|import| import.words.clone());
        let globs = imports().filter(|import| import.name == "*").map(|import| {
            let all = import.words.split_last().map_or(&[][..], |(_, all)| all);
            child(all, name)
        });
        named.chain(globs).find_map(|import| self.resolve(at, &[import.as_slice(), rest].concat(), seen))
    }
}

/// Reads the code of a file into the modules that it consists of.
struct Reader<'t> {
    tree: &'t Tree,
    file: &'t str,
    at: ModulePath,
    modules: &'t mut ModuleTree,
}

impl Reader<'_> {
    fn module(&mut self) -> &mut Module {
        let module = self.modules.modules.entry(self.at.clone()).or_default();
        self.at.clone_into(&mut module.path);
        self.file.clone_into(&mut module.file);
        module
    }

    /// Adds the paths in the arguments of a macro or an attribute.
    fn read_tokens(&mut self, tokens: TokenStream) {
        // `::` before a word continues its path; a dot makes it a field or a method.
        let (mut path, mut before) = (Words::new(), String::new());
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if before != "::" {
                        self.module().names.insert(mem::take(&mut path));
                    }
                    if before != "." {
                        path.push(word.to_string());
                    }
                    before.clear();
                }
                TokenTree::Punct(sign) => before.push(sign.as_char()),
                TokenTree::Group(group) => self.read_tokens(group.stream()),
                TokenTree::Literal(_) => {}
            }
        }
        self.module().names.insert(path);
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let (name, attributes) = head(item);
        if !is_unit_test(attributes) {
            self.module().items.extend(name.map(Ident::to_string));
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        if !is_unit_test(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let path = child(&self.at, &module.ident.to_string());
        if module.content.is_some() {
            let outside = mem::replace(&mut self.at, path);
            self.module();
            visit::visit_item_mod(self, module);
            self.at = outside;
        } else {
            let file = file_of(self.file, &path, declared_path(&module.attrs));
            self.modules.read_file(self.tree, &file, path);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        use_tree(&item.tree, &[], &mut self.module().imports);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        self.module().names.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        visit::visit_macro(self, call);
        self.read_tokens(call.tokens.clone());
    }

    fn visit_meta_list(&mut self, list: &'ast MetaList) {
        visit::visit_meta_list(self, list);
        self.read_tokens(list.tokens.clone());
    }
}

/// The name of the item, if it defines one other than a module, and its attributes.
fn head(item: &Item) -> (Option<&Ident>, &[Attribute]) {
    match item {
        Item::Const(item) => (Some(&item.ident), &item.attrs),
        Item::Enum(item) => (Some(&item.ident), &item.attrs),
        Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
        Item::Macro(item) => (item.ident.as_ref(), &item.attrs),
        Item::Static(item) => (Some(&item.ident), &item.attrs),
        Item::Struct(item) => (Some(&item.ident), &item.attrs),
        Item::Trait(item) => (Some(&item.ident), &item.attrs),
        Item::Type(item) => (Some(&item.ident), &item.attrs),
        Item::Union(item) => (Some(&item.ident), &item.attrs),
        Item::Impl(item) => (None, &item.attrs),
        Item::Mod(item) => (None, &item.attrs),
        Item::Use(item) => (None, &item.attrs),
        Item::ExternCrate(_) | Item::ForeignMod(_) | Item::TraitAlias(_) | Item::Verbatim(_) | _ => (None, &[]),
    }
}

/// Whether only unit tests have the item: `#[cfg(test)]`.
fn is_unit_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("cfg") && list.tokens.to_string() == "test")
    })
}

/// The text of `#[path = "…"]`.
fn declared_path(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        if let Meta::NameValue(value) = &attribute.meta
            && value.path.is_ident("path")
            && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &value.value
        {
            Some(text.value())
        } else {
            None
        }
    })
}

fn child(at: &[String], name: &str) -> ModulePath {
    [at, &[name.to_owned()]].concat()
}

/// The file of the module `path` that `parent` declares, perhaps with `#[path = "…"]`.
fn file_of(parent: &str, path: &[String], declared: Option<String>) -> String {
    let folder = parent.rsplit_once('/').map_or("", |(folder, _)| folder);
    let stem = parent.strip_suffix(".rs").unwrap_or(parent);
    // A file that another declares by its path counts as the root of its folder.
    let is_root = path.iter().rev().nth(1).is_none_or(|module| !stem.ends_with(&format!("/{module}")));
    match declared {
        // The path is read from the folder of the file that says it.
        Some(declared) => format!("{folder}/{declared}"),
        None => format!("{}/{}.rs", if is_root { folder } else { stem }, path.last().map_or("", String::as_str)),
    }
}

/// Adds every name of a `use` to `found`. `prefix` is the path before the tree.
fn use_tree(tree: &UseTree, prefix: &[String], found: &mut Vec<Import>) {
    // `use a::{self}` brings in `a`.
    let path = |word: &Ident| {
        if word == "self" && !prefix.is_empty() { prefix.to_vec() } else { child(prefix, &word.to_string()) }
    };
    let name = |path: &[String]| path.last().cloned().unwrap_or_default();
    match tree {
        UseTree::Path(tree) => use_tree(&tree.tree, &child(prefix, &tree.ident.to_string()), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| use_tree(tree, prefix, found)),
        UseTree::Name(last) => found.push(Import { name: name(&path(&last.ident)), words: path(&last.ident) }),
        UseTree::Rename(last) => found.push(Import { name: last.rename.to_string(), words: path(&last.ident) }),
        UseTree::Glob(_) => found.push(Import { name: "*".to_owned(), words: child(prefix, "*") }),
    }
}
