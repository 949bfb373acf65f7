//! Writes a list of changes from start to end, and its header last.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::change::{Change, ChangeKind};
use super::codec;
use super::facts::{Counts, ListFacts};
use super::layout::{BLOCK, BLOCKS, CHANGES, FACTS, LONGEST_BLOCK, MAGIC};
use crate::folder::disk::Disk;
use crate::folder::{FileError, doing};
use crate::format::header::{Header, Identity, Section, SectionKind};
use crate::row_id::row_id_of;

/// Sections of a list.
const SECTIONS: usize = 3;
/// How much time deflate takes: more makes a day's list a few percent smaller.
const LEVEL: u32 = 3;
/// Compressed bytes that are written together.
const PIECE: usize = 1 << 18;

/// A list of changes that is being written.
pub(super) struct ListWriter<'a> {
    disk: &'a dyn Disk,
    path: &'a Path,
    file: File,
    /// Changes that are not yet compressed.
    block: Vec<u8>,
    /// Row ids of the first and the last change of the block.
    first: u32,
    last: u32,
    /// Blocks that are not yet written.
    compressed: Vec<u8>,
    /// The section `blocks`.
    blocks: Vec<u8>,
    counts: Counts,
    /// Bytes of the section so far, and their checksum.
    written: u64,
    crc: crc32fast::Hasher,
}

/// Why a change is not written.
#[derive(Debug)]
pub(super) enum WriteError {
    /// The disk.
    File(FileError),
    /// A taxpayer has more rows than a reader accepts.
    TooLong,
}

impl From<FileError> for WriteError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl<'a> ListWriter<'a> {
    /// Creates the file at `path` with room for the header.
    pub(super) fn create(disk: &'a dyn Disk, path: &'a Path) -> Result<Self, FileError> {
        let mut file = doing("creating", path, disk.create(path))?;
        doing("writing", path, disk.write(&mut file, &vec![0; Header::length(SECTIONS)]))?;
        Ok(Self {
            disk,
            path,
            file,
            block: Vec::new(),
            first: 0,
            last: 0,
            compressed: Vec::new(),
            blocks: Vec::new(),
            counts: Counts::default(),
            written: 0,
            crc: crc32fast::Hasher::new(),
        })
    }

    /// Appends a change. Changes come by rising row id.
    pub(super) fn push(&mut self, change: &Change) -> Result<(), WriteError> {
        let count = match change.kind {
            ChangeKind::New { .. } => &mut self.counts.new,
            ChangeKind::Gone { .. } => &mut self.counts.gone,
            ChangeKind::Changed { .. } | ChangeKind::Rows { .. } => &mut self.counts.changed,
        };
        *count += 1;
        if self.block.is_empty() {
            (self.first, self.last) = (row_id_of(change.ruc), 0);
        }
        codec::encode(change, &mut self.last, &mut self.block);
        if self.block.len() > LONGEST_BLOCK {
            return Err(WriteError::TooLong);
        }
        if self.block.len() >= BLOCK {
            self.end_block()?;
        }
        Ok(())
    }

    /// Writes the facts, whose counts are those of the changes, and the header, and waits until all is on the disk.
    /// Returns the counts and the file's length.
    pub(super) fn finish(mut self, number: u64, from: Identity, facts: ListFacts) -> Result<(Counts, u64), FileError> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.write_piece()?;
        let blocks = std::mem::take(&mut self.blocks);
        doing("writing", self.path, self.disk.write(&mut self.file, &blocks))?;
        let counts = self.counts;
        // A structure of texts and numbers always has a JSON form.
        let facts = serde_json::to_vec(&ListFacts { counts, ..facts }).unwrap_or_default();
        doing("writing", self.path, self.disk.write(&mut self.file, &facts))?;
        let start = Header::length(SECTIONS) as u64;
        let section = |kind: SectionKind, crc, offset, length| Section {
            name: kind.name,
            version: kind.version,
            crc,
            offset,
            length,
        };
        let sections = vec![
            section(CHANGES, self.crc.finalize(), start, self.written),
            section(BLOCKS, crc32fast::hash(&blocks), start + self.written, blocks.len() as u64),
            section(FACTS, crc32fast::hash(&facts), start + self.written + blocks.len() as u64, facts.len() as u64),
        ];
        let file_length = start + self.written + (blocks.len() + facts.len()) as u64;
        let header = Header { file_length, sequence: number, parent: from, sections }.encode_as(MAGIC);
        doing("writing", self.path, self.disk.write_front(&mut self.file, &header))?;
        doing("syncing", self.path, self.disk.sync(&self.file))?;
        Ok((counts, file_length))
    }

    fn end_block(&mut self) -> Result<(), FileError> {
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
        let deflated = deflate.write_all(&self.block).and_then(|()| deflate.finish());
        let deflated = doing("compressing", self.path, deflated)?;
        for number in [self.first, self.block.len() as u32, deflated.len() as u32, crc32fast::hash(&deflated)] {
            self.blocks.extend(number.to_le_bytes());
        }
        self.block.clear();
        self.compressed.extend(deflated);
        if self.compressed.len() >= PIECE { self.write_piece() } else { Ok(()) }
    }

    /// Writes what is compressed.
    fn write_piece(&mut self) -> Result<(), FileError> {
        let piece = std::mem::take(&mut self.compressed);
        self.crc.update(&piece);
        self.written += piece.len() as u64;
        doing("writing", self.path, self.disk.write(&mut self.file, &piece))
    }
}
