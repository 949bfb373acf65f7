//! Reads a list of changes.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};

use flate2::read::DeflateDecoder;

use super::change::Change;
use super::codec;
use super::error::ListError;
use super::facts::ListFacts;
use super::layout::{CHANGES, FACTS, LONGEST_BLOCK, LONGEST_FACTS, MAGIC, MOST_FIELDS};
use crate::format::EditionError;
use crate::format::header::{Header, Section, SectionKind};

/// A list of changes, every byte of which was verified.
#[derive(Clone, Debug)]
pub struct ChangeList {
    path: PathBuf,
    facts: ListFacts,
    section: (u64, u64),
}

/// The changes of a list, by rising row id: by prefix of the RUC, then by number. After an error there are no more.
#[derive(Debug)]
pub struct Changes {
    blocks: DeflateDecoder<BufReader<Take<File>>>,
    block: Vec<u8>,
    /// Bytes of the block that were read.
    read: usize,
    /// Row id of the last change.
    last: u32,
    fields: usize,
    /// Changes that are left by the facts; `None` = there is no more to read.
    left: Option<u64>,
}

impl ChangeList {
    /// Opens and verifies the list in the file at `path`, reading all of it.
    ///
    /// # Errors
    /// [`ListError`]; a file that was cut, grown or changed by a single bit is refused.
    pub fn open(path: &Path) -> Result<Self, ListError> {
        let (mut file, facts, section) = front(path)?;
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
        Ok(Self { path: path.to_owned(), facts, section: (section.offset, section.length) })
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
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.section.0))?;
        Ok(Changes {
            blocks: DeflateDecoder::new(BufReader::new(file.take(self.section.1))),
            block: Vec::new(),
            read: 0,
            last: 0,
            fields: self.facts.fields.len(),
            left: Some(self.facts.counts.total()),
        })
    }
}

impl Changes {
    fn read_next(&mut self, left: u64) -> Result<Option<Change>, ListError> {
        if self.read >= self.block.len() && !self.read_block()? {
            return if left == 0 { Ok(None) } else { Err(ListError::Damaged("changes are missing")) };
        }
        let mut rest = self.block.get(self.read..).unwrap_or_default();
        let change = codec::decode(&mut rest, &mut self.last, self.fields);
        self.read = self.block.len() - rest.len();
        self.left = Some(left.checked_sub(1).ok_or(ListError::Damaged("it has more changes than it says"))?);
        Ok(Some(change.ok_or(ListError::Damaged("a change cannot be read"))?))
    }

    /// Reads the next block; false = there is none.
    fn read_block(&mut self) -> Result<bool, ListError> {
        let (mut length, mut shift) = (0_usize, 0);
        loop {
            let mut byte = [0];
            if self.blocks.read(&mut byte)? == 0 {
                return if shift == 0 { Ok(false) } else { Err(ListError::Damaged("a block is cut short")) };
            }
            length |= usize::from(byte[0] & 0x7f) << shift;
            shift += 7;
            if length > LONGEST_BLOCK || shift > 28 {
                return Err(ListError::Damaged("a block is too long"));
            }
            if byte[0] < 0x80 {
                break;
            }
        }
        self.block.clear();
        self.read = 0;
        let read = (&mut self.blocks).take(length as u64).read_to_end(&mut self.block)?;
        if read == length && length > 0 { Ok(true) } else { Err(ListError::Damaged("a block is cut short")) }
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
    Ok(front(path)?.1)
}

/// The opened file, the facts and the section of the changes.
fn front(path: &Path) -> Result<(File, ListFacts, Section), ListError> {
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
    let (changes, facts) = (section(CHANGES)?, section(FACTS)?);
    if facts.length > LONGEST_FACTS {
        return Err(ListError::Damaged("its facts are too long"));
    }
    file.seek(SeekFrom::Start(facts.offset))?;
    let mut text = Vec::new();
    (&mut file).take(facts.length).read_to_end(&mut text)?;
    if crc32fast::hash(&text) != facts.crc {
        return Err(ListError::Damaged("the checksum of its facts does not match"));
    }
    let facts: ListFacts = serde_json::from_slice(&text).map_err(|_| ListError::Damaged("its facts cannot be read"))?;
    if facts.fields.is_empty() || facts.fields.len() > MOST_FIELDS {
        return Err(ListError::Damaged("its number of fields is impossible"));
    }
    Ok((file, facts, changes))
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
