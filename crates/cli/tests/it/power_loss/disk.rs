//! A model of a disk that loses power: which files there are, with which bytes, after the events up to some instant.
//!
//! A file's bytes are certain to be there once the file was synced, and its name once its folder was. Everything else may
//! be there, whole or in part: writes in any combination, cut at sectors; names of one folder in their order.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::recording::{Event, What};

const SECTOR: usize = 512;

/// How much of what was not synced survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Survives {
    Nothing,
    /// As after a `kill -9`.
    Everything,
    /// By bits from this seed.
    Some(u64),
}

/// Files by path; `None` = a folder.
pub(crate) type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// The disk after a number of events.
#[derive(Default)]
pub(crate) struct Disk {
    files: Vec<Content>,
    /// The files and folders as the program sees them.
    names: Names,
    durable_names: Names,
    /// By folder.
    pending_names: BTreeMap<PathBuf, Vec<(usize, Rename)>>,
    by_inode: HashMap<u64, Node>,
    /// The events at which threads began to sync.
    syncing: HashMap<(u64, u64), usize>,
}

#[derive(Clone)]
enum Node {
    File(usize),
    Folder(PathBuf),
}

type Names = BTreeMap<PathBuf, Node>;

/// A name that goes, and one that comes.
struct Rename {
    from: Option<PathBuf>,
    to: Option<(PathBuf, Node)>,
}

#[derive(Default)]
struct Content {
    durable: Vec<u8>,
    pending: Vec<(usize, Change)>,
}

enum Change {
    Write(usize, Vec<u8>),
    Length(usize),
}

impl Disk {
    /// Applies the event with this number.
    pub(crate) fn apply(&mut self, number: usize, event: &Event) {
        match &event.what {
            What::Start(_, root) => drop(self.by_inode.insert(event.inode, Node::Folder(root.clone()))),
            What::Answer | What::End(_) => {}
            What::Open { path, is_folder } => self.open(number, event.inode, path, *is_folder),
            What::Write(at, bytes) => self.change(number, event.inode, Change::Write(*at, bytes.clone())),
            What::Length(length) => self.change(number, event.inode, Change::Length(*length)),
            What::SyncBegin(thread) => drop(self.syncing.insert((event.inode, *thread), number)),
            What::SyncEnd(thread) => {
                if let Some(began) = self.syncing.remove(&(event.inode, *thread)) {
                    self.sync(began, event.inode);
                }
            }
            What::Rename(from, to) => {
                let node = self.names.get(from).cloned().unwrap_or_else(|| panic!("renamed: {}", from.display()));
                self.name(number, to, Rename { from: Some(from.clone()), to: Some((to.clone(), node)) });
            }
            What::Unlink(path) => self.name(number, path, Rename { from: Some(path.clone()), to: None }),
            What::Folder(path) => {
                let to = Some((path.clone(), Node::Folder(path.clone())));
                self.name(number, path, Rename { from: None, to });
            }
        }
    }

    /// The path of an open file or folder.
    pub(crate) fn path(&self, inode: u64) -> Option<&Path> {
        match self.by_inode.get(&inode)? {
            Node::Folder(path) => Some(path),
            Node::File(file) => {
                let is_it = |node: &Node| matches!(node, Node::File(other) if other == file);
                self.names.iter().find(|(_, node)| is_it(node)).map(|(path, _)| path.as_path())
            }
        }
    }

    /// The files after a power loss. Those in a folder that did not survive are gone with it.
    pub(crate) fn after(&self, root: &Path, survives: Survives) -> Tree {
        let mut random = Random(match survives {
            Survives::Some(seed) => seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            Survives::Nothing | Survives::Everything => 1,
        });
        let mut names = self.durable_names.clone();
        for pending in self.pending_names.values() {
            let kept = match survives {
                Survives::Nothing => 0,
                Survives::Everything => pending.len(),
                Survives::Some(_) => random.below(pending.len() + 1),
            };
            pending[..kept].iter().for_each(|(_, rename)| rename.apply(&mut names));
        }
        let mut tree = Tree::new();
        for (path, node) in names {
            // A folder comes before what is in it.
            let folder = path.parent().unwrap();
            if folder == root || tree.get(folder).is_some_and(Option::is_none) {
                let content = match node {
                    Node::Folder(_) => None,
                    Node::File(file) => Some(self.files[file].after(survives, &mut random)),
                };
                tree.insert(path, content);
            }
        }
        tree
    }

    fn open(&mut self, number: usize, inode: u64, path: &Path, is_folder: bool) {
        let node = match self.names.get(path) {
            Some(node) => node.clone(),
            None if is_folder => Node::Folder(path.to_owned()),
            None => {
                self.files.push(Content::default());
                let node = Node::File(self.files.len() - 1);
                self.name(number, path, Rename { from: None, to: Some((path.to_owned(), node.clone())) });
                node
            }
        };
        self.by_inode.insert(inode, node);
    }

    fn change(&mut self, number: usize, inode: u64, change: Change) {
        if let Some(Node::File(file)) = self.by_inode.get(&inode) {
            self.files[*file].pending.push((number, change));
        }
    }

    fn name(&mut self, number: usize, path: &Path, rename: Rename) {
        rename.apply(&mut self.names);
        let folder = path.parent().unwrap().to_owned();
        self.pending_names.entry(folder).or_default().push((number, rename));
    }

    fn sync(&mut self, began: usize, inode: u64) {
        match self.by_inode.get(&inode) {
            Some(Node::File(file)) => {
                let Content { durable, pending } = &mut self.files[*file];
                let synced = pending.partition_point(|(number, _)| *number < began);
                pending.drain(..synced).for_each(|(_, change)| change.apply(durable));
            }
            Some(Node::Folder(folder)) => {
                if let Some(pending) = self.pending_names.get_mut(folder) {
                    let synced = pending.partition_point(|(number, _)| *number < began);
                    pending.drain(..synced).for_each(|(_, rename)| rename.apply(&mut self.durable_names));
                }
            }
            None => {}
        }
    }
}

impl Rename {
    fn apply(&self, names: &mut Names) {
        if let Some(from) = &self.from {
            names.remove(from);
        }
        if let Some((to, node)) = &self.to {
            names.insert(to.clone(), node.clone());
        }
    }
}

impl Content {
    fn after(&self, survives: Survives, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.durable.clone();
        for (_, change) in &self.pending {
            match (survives, change) {
                (Survives::Nothing, _) => break,
                (Survives::Everything, change) => change.apply(&mut bytes),
                (Survives::Some(_), change) => match (random.below(4), change) {
                    (0, _) => {}
                    (1, Change::Write(at, content)) => Change::torn(*at, content, random).apply(&mut bytes),
                    (_, change) => change.apply(&mut bytes),
                },
            }
        }
        bytes
    }
}

impl Change {
    /// The beginning or the end of a write, cut where a sector of the file begins.
    fn torn(at: usize, content: &[u8], random: &mut Random) -> Self {
        let sectors = (at + content.len()) / SECTOR - at / SECTOR;
        let cut = ((at / SECTOR + random.below(sectors + 1)) * SECTOR).saturating_sub(at).min(content.len());
        match random.below(2) {
            0 => Self::Write(at, content[..cut].to_vec()),
            _ => Self::Write(at + cut, content[cut..].to_vec()),
        }
    }

    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write(at, content) => {
                let end = at + content.len();
                if !content.is_empty() {
                    bytes.resize(bytes.len().max(end), 0);
                    bytes[*at..end].copy_from_slice(content);
                }
            }
            Self::Length(length) => bytes.resize(*length, 0),
        }
    }
}

/// Xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % end as u64) as usize
    }
}
