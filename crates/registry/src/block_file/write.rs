//! Writes files of blocks.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use flate2::{Compress, Compression, FlushCompress, Status};
use serde::Serialize;

use super::error::BlockError;
use super::header::{BlockEntry, FileKind, Header, MAX_FACTS_BYTES, MAX_VALUE_BYTES};
use super::read::BlockFile;
use crate::folder::disk::Disk;
use crate::folder::{FileError, doing, make_aside, move_into_place};
use crate::format::varint::push;

/// A block ends with the row that reaches this length. A lookup inflates half of one, about 10 µs; twice the length
/// makes a history 4 % smaller.
const BLOCK: usize = 8 << 10;
/// Level 1 makes a history 15 % larger; higher levels save 2 %.
const LEVEL: u32 = 2;
const CHUNK: usize = 1 << 20;

pub(crate) struct BlockWriter<'a> {
    disk: &'a dyn Disk,
    kind: FileKind,
    path: PathBuf,
    file: File,
    unwritten: Vec<u8>,
    /// Unwritten bytes included.
    length: u64,
    deflate: Compress,
    /// The block's row ids and values, and its first row id.
    keys: Vec<u8>,
    values: Vec<u8>,
    first: u32,
    /// The least row id that may follow.
    least: u32,
    index: Vec<u8>,
}

/// Writes and syncs a file with the rows that `fill` pushes and the facts that it returns, and moves it to `path`.
/// Returns its length. After an error nothing is there.
pub(crate) fn write<F: Serialize, E: From<BlockError>>(
    disk: &dyn Disk,
    path: &Path,
    kind: FileKind,
    fill: impl FnOnce(&mut BlockWriter<'_>) -> Result<F, E>,
) -> Result<u64, E> {
    make_aside(disk, path, |aside| {
        let mut writer = BlockWriter::create(disk, aside, kind)?;
        let facts = fill(&mut writer)?;
        let length = writer.finish(&facts)?;
        move_into_place(disk, aside, path).map_err(BlockError::from)?;
        Ok(length)
    })
}

impl<'a> BlockWriter<'a> {
    fn create(disk: &'a dyn Disk, path: &Path, kind: FileKind) -> Result<Self, BlockError> {
        Ok(Self {
            disk,
            kind,
            path: path.to_owned(),
            file: doing("creating", path, disk.create(path))?,
            unwritten: vec![0; Header::LENGTH],
            length: Header::LENGTH as u64,
            deflate: Compress::new(Compression::new(LEVEL), false),
            keys: Vec::new(),
            values: Vec::new(),
            first: 0,
            least: 0,
            index: Vec::new(),
        })
    }

    pub(crate) fn push(&mut self, row_id: u32, value: &[u8]) -> Result<(), BlockError> {
        if value.len() > MAX_VALUE_BYTES {
            return Err(self.too_long("a taxpayer's row takes more than 16 MiB"));
        }
        if self.keys.is_empty() {
            (self.first, self.least) = (row_id, self.least.max(row_id));
        }
        let Some(skipped) = row_id.checked_sub(self.least) else {
            return Err(self.damaged("its row ids do not rise"));
        };
        self.least = row_id.saturating_add(1);
        push(&mut self.keys, skipped);
        push(&mut self.keys, value.len() as u32);
        self.values.extend_from_slice(value);
        if self.keys.len() + self.values.len() >= BLOCK { self.end_block() } else { Ok(()) }
    }

    /// Appends the rows of `old` and `new`, both by rising row id. `value` makes a row of the old value, which may be
    /// empty, and what is new; an empty result is left out, `None` = the old value cannot be read.
    pub(crate) fn merge<N, E: From<BlockError>>(
        &mut self,
        old: Option<&BlockFile>,
        new: impl IntoIterator<Item = Result<(u32, N), E>>,
        mut value: impl FnMut(&[u8], Option<N>, &mut Vec<u8>) -> Option<()>,
    ) -> Result<(), E> {
        let mut new = new.into_iter().peekable();
        let mut bytes = Vec::new();
        let mut add = |row_id, known: &[u8], new| {
            bytes.clear();
            value(known, new, &mut bytes).ok_or_else(|| self.damaged("a row cannot be read"))?;
            if bytes.is_empty() { Ok(()) } else { self.push(row_id, &bytes) }
        };
        for (old, number) in old.iter().flat_map(|old| (0..old.count()).map(move |number| (old, number))) {
            for (row_id, known) in old.block(number)?.rows() {
                let is_before = |next: &Result<(u32, N), E>| next.as_ref().map_or(true, |(next, _)| *next < row_id);
                while let Some(next) = new.next_if(is_before) {
                    let (row_id, next) = next?;
                    add(row_id, &[], Some(next))?;
                }
                let same = new.next_if(|next| next.as_ref().is_ok_and(|(next, _)| *next == row_id)).transpose()?;
                add(row_id, known, same.map(|(_, new)| new))?;
            }
        }
        for next in new {
            let (row_id, next) = next?;
            add(row_id, &[], Some(next))?;
        }
        Ok(())
    }

    fn end_block(&mut self) -> Result<(), BlockError> {
        let start = self.unwritten.len();
        self.unwritten.append(&mut self.keys);
        let keys = (self.unwritten.len() - start) as u32;
        // Deflated values may be longer.
        self.unwritten.reserve(self.values.len() + self.values.len() / 4 + 64);
        self.deflate.reset();
        let deflated = match self.deflate.compress_vec(&self.values, &mut self.unwritten, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => Ok(()),
            Ok(Status::Ok | Status::BufError) => Err(io::Error::other("the room does not suffice")),
            Err(error) => Err(error.into()),
        };
        doing("compressing", &self.path, deflated)?;
        self.values.clear();
        let block = self.unwritten.get(start..).unwrap_or_default();
        let (length, crc) = (block.len() as u32, crc32fast::hash(block));
        self.index.extend(BlockEntry { first: self.first, keys, length, crc }.encode());
        self.length += u64::from(length);
        if self.unwritten.len() >= CHUNK { Ok(self.flush()?) } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), FileError> {
        doing("writing", &self.path, self.disk.write(&mut self.file, &self.unwritten))?;
        self.unwritten.clear();
        Ok(())
    }

    /// Writes index, facts and header, and syncs. Returns the file's length.
    fn finish(mut self, facts: &impl Serialize) -> Result<u64, BlockError> {
        if !self.keys.is_empty() {
            self.end_block()?;
        }
        // Texts and numbers always have a JSON form.
        let facts = serde_json::to_vec(facts).unwrap_or_default();
        if facts.len() > MAX_FACTS_BYTES {
            return Err(self.too_long("the facts take more than 16 MiB"));
        }
        let (index_length, facts_length) = (self.index.len() as u32, facts.len() as u32);
        let tail = [std::mem::take(&mut self.index), facts].concat();
        let file_length = self.length + tail.len() as u64;
        let header = Header { file_length, index_length, facts_length, crc: crc32fast::hash(&tail) };
        self.unwritten.extend(tail);
        self.flush()?;
        doing("writing", &self.path, self.disk.write_front(&mut self.file, &header.encode(self.kind)))?;
        doing("syncing", &self.path, self.disk.sync(&self.file))?;
        Ok(file_length)
    }

    const fn too_long(&self, what: &'static str) -> BlockError {
        BlockError::TooLong { kind: self.kind.name, what }
    }

    const fn damaged(&self, what: &'static str) -> BlockError {
        BlockError::Damaged { kind: self.kind.name, what }
    }
}
