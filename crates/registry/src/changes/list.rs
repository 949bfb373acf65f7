//! Reads a list of changes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::vec;

use flate2::read::DeflateDecoder;
use kuraka_domain::Ruc;

use super::change::Change;
use super::codec;
use super::error::ListError;
use super::facts::{Counts, ListFacts};
use super::layout::{BLOCKS, CHANGES, ENTRY, FACTS, LONGEST_BLOCK, LONGEST_BLOCKS, LONGEST_FACTS, MAGIC, MOST_FIELDS};
use crate::format::header::{Header, Section, SectionKind};
use crate::format::{EditionError, u32_at};
use crate::row_id::ruc_at;

/// A list of changes.
#[derive(Clone, Debug)]
pub struct ChangeList {
    path: PathBuf,
    facts: ListFacts,
    blocks: Vec<Block>,
    is_reversed: bool,
}

/// Where a block of changes is.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The taxpayer of its first change.
    first: Ruc,
    offset: u64,
    length: usize,
    deflated: usize,
    crc: u32,
}

/// The changes of a list, by rising row id: by prefix of the RUC, then by number. After an error there are no more.
#[derive(Debug)]
pub struct Changes {
    file: File,
    blocks: vec::IntoIter<Block>,
    block: vec::IntoIter<Change>,
    fields: usize,
    is_reversed: bool,
    /// Changes that are left by the facts; `None` = there is no more to read.
    left: Option<u64>,
}

impl ChangeList {
    /// Opens and verifies the list in the file at `path`, reading all of it.
    ///
    /// # Errors
    /// [`ListError`]; a file that was cut, grown or changed by a single bit is refused.
    pub fn open(path: &Path) -> Result<Self, ListError> {
        let (list, mut file, section) = front(path)?;
        file.seek(SeekFrom::Start(section.offset))?;
        let (mut crc, mut rest, mut piece) = (crc32fast::Hasher::new(), file.take(section.length), vec![0; 1 << 16]);
        loop {
            match rest.read(&mut piece)? {
                0 => break,
                read => crc.update(piece.get(..read).unwrap_or_default()),
            }
        }
        if rest.limit() > 0 || crc.finalize() != section.crc {
            return Err(ListError::Damaged("the checksum of its changes does not match"));
        }
        Ok(list)
    }

    /// Opens the list in the file at `path` without reading its changes: each block is verified when it is read.
    ///
    /// # Errors
    /// [`ListError`] if anything but a block is damaged.
    pub fn open_front(path: &Path) -> Result<Self, ListError> {
        front(path).map(|(list, ..)| list)
    }

    /// What the list says about itself.
    #[must_use]
    pub const fn facts(&self) -> &ListFacts {
        &self.facts
    }

    /// Its file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the changes one by one.
    ///
    /// # Errors
    /// [`ListError::Io`] if the file cannot be opened again.
    pub fn changes(&self) -> Result<Changes, ListError> {
        Ok(Changes {
            file: File::open(&self.path)?,
            blocks: self.blocks.clone().into_iter(),
            block: Vec::new().into_iter(),
            fields: self.facts.fields.len(),
            is_reversed: self.is_reversed,
            left: Some(self.facts.counts.total()),
        })
    }

    /// How many blocks the changes are in.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The taxpayer of a block's first change; `None` = there is no such block.
    #[must_use]
    pub fn first(&self, block: usize) -> Option<Ruc> {
        self.blocks.get(block).map(|block| block.first)
    }

    /// The changes of a block, by rising row id.
    ///
    /// # Errors
    /// [`ListError`].
    pub fn block(&self, block: usize) -> Result<Vec<Change>, ListError> {
        let Some(block) = self.blocks.get(block) else { return Ok(Vec::new()) };
        read_block(&mut File::open(&self.path)?, block, self.facts.fields.len(), self.is_reversed)
    }

    /// The changes from the resulting edition back to the previous one. A taxpayer that is gone by them has rows only if
    /// the list has them.
    pub(super) fn reversed(self) -> Self {
        let ListFacts { from, to, counts, .. } = self.facts.clone();
        let counts = Counts { new: counts.gone, gone: counts.new, ..counts };
        let facts = ListFacts { from: to, to: from, counts, is_rollback: true, ..self.facts };
        Self { facts, is_reversed: !self.is_reversed, ..self }
    }
}

/// Reads and verifies the changes of a block.
fn read_block(file: &mut File, block: &Block, fields: usize, is_reversed: bool) -> Result<Vec<Change>, ListError> {
    file.seek(SeekFrom::Start(block.offset))?;
    let mut deflated = Vec::with_capacity(block.deflated);
    file.take(block.deflated as u64).read_to_end(&mut deflated)?;
    if deflated.len() != block.deflated || crc32fast::hash(&deflated) != block.crc {
        return Err(ListError::Damaged("the checksum of a block does not match"));
    }
    let mut bytes = Vec::with_capacity(block.length);
    // One byte more, so that a longer block is noticed.
    DeflateDecoder::new(deflated.as_slice()).take(block.length as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() != block.length {
        return Err(ListError::Damaged("a block does not have its length"));
    }
    let (mut rest, mut last, mut changes) = (bytes.as_slice(), 0, Vec::new());
    while !rest.is_empty() {
        let change = codec::decode(&mut rest, &mut last, fields);
        let change = change.ok_or(ListError::Damaged("a change cannot be read"))?;
        changes.push(if is_reversed { change.reversed() } else { change });
    }
    Ok(changes)
}

impl Changes {
    fn read_next(&mut self, left: u64) -> Result<Option<Change>, ListError> {
        loop {
            if let Some(change) = self.block.next() {
                let left = left.checked_sub(1).ok_or(ListError::Damaged("it has more changes than it says"))?;
                self.left = Some(left);
                return Ok(Some(change));
            }
            let Some(block) = self.blocks.next() else {
                return if left == 0 { Ok(None) } else { Err(ListError::Damaged("changes are missing")) };
            };
            self.block = read_block(&mut self.file, &block, self.fields, self.is_reversed)?.into_iter();
        }
    }
}

impl Iterator for Changes {
    type Item = Result<Change, ListError>;

    fn next(&mut self) -> Option<Self::Item> {
        let left = self.left?;
        let next = self.read_next(left).transpose();
        if !matches!(next, Some(Ok(_))) {
            self.left = None;
        }
        next
    }
}

/// What the list in the file at `path` says about itself. Its changes are not verified.
pub(crate) fn facts(path: &Path) -> Result<ListFacts, ListError> {
    Ok(front(path)?.0.facts)
}

/// The list, its opened file, and the section of the changes.
fn front(path: &Path) -> Result<(ChangeList, File, Section), ListError> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    (&mut file).take(Header::LONGEST).read_to_end(&mut bytes)?;
    let (header, _) = Header::decode_as(MAGIC, &bytes).map_err(of_list)?;
    if header.file_length != file.metadata()?.len() {
        return Err(ListError::Damaged("its length is not the one in its header"));
    }
    let section = |kind: SectionKind| {
        let found = header.sections.iter().find(|section| section.name == kind.name && section.version == kind.version);
        found.copied().ok_or(ListError::Version)
    };
    let mut read = |section: Section, longest: u64| {
        if section.length > longest {
            return Err(ListError::Damaged("a section is too long"));
        }
        file.seek(SeekFrom::Start(section.offset))?;
        let mut bytes = Vec::new();
        (&mut file).take(section.length).read_to_end(&mut bytes)?;
        match crc32fast::hash(&bytes) == section.crc {
            true => Ok(bytes),
            false => Err(ListError::Damaged("the checksum of a section does not match")),
        }
    };
    let changes = section(CHANGES)?;
    let text = read(section(FACTS)?, LONGEST_FACTS)?;
    let facts: ListFacts = serde_json::from_slice(&text).map_err(|_| ListError::Damaged("its facts cannot be read"))?;
    if facts.fields.is_empty() || facts.fields.len() > MOST_FIELDS {
        return Err(ListError::Damaged("its number of fields is impossible"));
    }
    let entries = read(section(BLOCKS)?, LONGEST_BLOCKS)?;
    let blocks = blocks(&entries, changes).ok_or(ListError::Damaged("its blocks are impossible"))?;
    Ok((ChangeList { path: path.to_owned(), facts, blocks, is_reversed: false }, file, changes))
}

/// The blocks, which follow each other and fill the section.
fn blocks(entries: &[u8], changes: Section) -> Option<Vec<Block>> {
    let (mut offset, mut blocks) = (changes.offset, Vec::new());
    for entry in entries.chunks(ENTRY) {
        let [first, length, deflated, crc] = [0, 4, 8, 12].map(|at| u32_at(entry, at));
        let (length, deflated) = (length? as usize, deflated? as usize);
        (length > 0 && length <= LONGEST_BLOCK).then_some(())?;
        blocks.push(Block { first: ruc_at(first?)?, offset, length, deflated, crc: crc? });
        offset = offset.checked_add(deflated as u64)?;
    }
    let rises = blocks.is_sorted_by_key(|block: &Block| block.first);
    (rises && offset == changes.offset.checked_add(changes.length)?).then_some(blocks)
}

/// The error of a header that lists and editions share.
fn of_list(error: EditionError) -> ListError {
    match error {
        EditionError::Io(error) => ListError::Io(error),
        EditionError::NotAnEdition => ListError::NotAList,
        EditionError::Version { .. } => ListError::Version,
        EditionError::Header(what) => ListError::Damaged(what),
        EditionError::Length { .. }
        | EditionError::MissingSection { .. }
        | EditionError::Checksum { .. }
        | EditionError::Content { .. }
        | EditionError::Row { .. }
        | EditionError::Memory
        | EditionError::OtherDataset { .. }
        | EditionError::Field { .. } => ListError::Damaged("its header is not valid"),
    }
}
