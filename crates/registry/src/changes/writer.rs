//! Writes a list of changes from start to end, and its header last.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::change::{Change, ChangeKind};
use super::codec;
use super::facts::{Counts, ListFacts};
use super::layout::{BLOCK, BLOCKS, CHANGES, FACTS, LONGEST_BLOCK, MAGIC};
use super::stop::Stop;
use crate::folder::disk::Disk;
use crate::folder::{FileError, doing};
use crate::format::header::Identity;
use crate::index::SectionFile;
use crate::row_id::row_id_of;

/// Sections of a list.
const SECTIONS: usize = 3;
/// How much time deflate takes: more makes a day's list a few percent smaller.
const LEVEL: u32 = 3;

/// A list of changes that is being written.
pub(super) struct ListWriter<'a> {
    path: &'a Path,
    file: SectionFile<'a>,
    /// Changes that are not yet compressed.
    block: Vec<u8>,
    /// Row ids of the first and the last change of the block.
    first: u32,
    last: u32,
    /// The section `blocks`.
    blocks: Vec<u8>,
    counts: Counts,
}

impl<'a> ListWriter<'a> {
    /// Creates the file at `path` with room for the header.
    pub(super) fn create(disk: &'a dyn Disk, path: &'a Path) -> Result<Self, FileError> {
        let (file, counts) = (SectionFile::create(disk, path, SECTIONS)?, Counts::default());
        Ok(Self { path, file, block: Vec::new(), first: 0, last: 0, blocks: Vec::new(), counts })
    }

    /// Appends a change. Changes come by rising row id.
    pub(super) fn push(&mut self, change: &Change) -> Result<(), Stop> {
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
            return Err(Stop::too_long());
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
        self.file.end_section(CHANGES);
        self.file.section(BLOCKS, &self.blocks)?;
        let counts = self.counts;
        // A structure of texts and numbers always has a JSON form.
        self.file.section(FACTS, &serde_json::to_vec(&ListFacts { counts, ..facts }).unwrap_or_default())?;
        Ok((counts, self.file.finish(MAGIC, number, from)?))
    }

    fn end_block(&mut self) -> Result<(), FileError> {
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
        let deflated = deflate.write_all(&self.block).and_then(|()| deflate.finish());
        let deflated = doing("compressing", self.path, deflated)?;
        for number in [self.first, self.block.len() as u32, deflated.len() as u32, crc32fast::hash(&deflated)] {
            self.blocks.extend(number.to_le_bytes());
        }
        self.block.clear();
        self.file.write(&deflated)
    }
}
