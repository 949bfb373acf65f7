//! Reads files of blocks.

use std::fs::File;
use std::io;
use std::iter;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use flate2::{Decompress, FlushDecompress};
use serde::de::DeserializeOwned;

use super::error::BlockError;
use super::header::{BlockEntry, FileKind, Header, MAX_BLOCK_BYTES};
use crate::folder::doing;
use crate::format::varint::take;
use crate::row_id::ROW_IDS;

/// Its index is in memory, so that later damage cannot make a row appear absent.
#[derive(Debug)]
pub(crate) struct BlockFile {
    kind: FileKind,
    path: PathBuf,
    file: File,
    blocks: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    entry: BlockEntry,
    offset: u64,
}

pub(crate) struct Block {
    rows: Vec<(u32, Range<usize>)>,
    values: Vec<u8>,
}

impl BlockFile {
    /// Opens and verifies all of the file; returns its facts, too.
    pub(crate) fn open<F: DeserializeOwned>(path: &Path, kind: FileKind) -> Result<(Self, F), BlockError> {
        let (file, facts) = Self::open_index(path, kind)?;
        file.blocks.iter().try_for_each(|place| file.stored(place).map(drop))?;
        Ok((file, facts))
    }

    /// As [`BlockFile::open`], without the blocks: each is verified when it is read.
    pub(crate) fn open_index<F: DeserializeOwned>(path: &Path, kind: FileKind) -> Result<(Self, F), BlockError> {
        let file = doing("opening", path, File::open(path))?;
        let mut opened = Self { kind, path: path.to_owned(), file, blocks: Vec::new() };
        let damaged = |what| BlockError::Damaged { kind: kind.name, what };
        let file_length = doing("reading", path, opened.file.metadata())?.len();
        let header = opened.read(0, (Header::LENGTH as u64).min(file_length) as usize)?;
        let header = Header::decode(kind, &header)?;
        let blocks_length = header.blocks_length().filter(|_| header.file_length == file_length);
        let blocks_length = blocks_length.ok_or_else(|| damaged("its length is not the one in its header"))?;
        let end = Header::LENGTH as u64 + blocks_length;
        let index = opened.read(end, header.index_length as usize + header.facts_length as usize)?;
        if crc32fast::hash(&index) != header.crc {
            return Err(damaged("the checksum of its index does not match"));
        }
        let (index, facts) = index.split_at(header.index_length as usize);
        opened.blocks = places(index, end).ok_or_else(|| damaged("its blocks are impossible"))?;
        let facts = serde_json::from_slice(facts).map_err(|_| damaged("its facts cannot be read"))?;
        Ok((opened, facts))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) const fn damaged(&self, what: &'static str) -> BlockError {
        BlockError::Damaged { kind: self.kind.name, what }
    }

    /// `None` = there is no such row.
    pub(crate) fn get(&self, row_id: u32) -> Result<Option<Vec<u8>>, BlockError> {
        let after = self.blocks.partition_point(|place| place.entry.first <= row_id);
        let Some(place) = after.checked_sub(1).and_then(|number| self.blocks.get(number)) else { return Ok(None) };
        let stored = self.stored(place)?;
        let (keys, deflated) = stored.split_at(place.entry.keys as usize);
        for row in self.rows(after, place, keys) {
            let (found, value) = row?;
            if found >= row_id {
                // What follows the value is not inflated.
                return (found == row_id)
                    .then(|| Ok(self.inflated(deflated, value.end)?.split_off(value.start)))
                    .transpose();
            }
        }
        Ok(None)
    }

    pub(crate) const fn count(&self) -> usize {
        self.blocks.len()
    }

    /// `None` = there is no such block.
    pub(crate) fn first(&self, number: usize) -> Option<u32> {
        self.blocks.get(number).map(|place| place.entry.first)
    }

    /// Without rows if there is no such block.
    pub(crate) fn block(&self, number: usize) -> Result<Block, BlockError> {
        let Some(place) = self.blocks.get(number) else { return Ok(Block { rows: Vec::new(), values: Vec::new() }) };
        let stored = self.stored(place)?;
        let (keys, deflated) = stored.split_at(place.entry.keys as usize);
        let rows = self.rows(number + 1, place, keys).collect::<Result<Vec<_>, _>>()?;
        let values = self.inflated(deflated, rows.last().map_or(0, |(_, value)| value.end))?;
        Ok(Block { rows, values })
    }

    fn rows<'a>(
        &'a self,
        next: usize,
        place: &Place,
        mut keys: &'a [u8],
    ) -> impl Iterator<Item = Result<(u32, Range<usize>), BlockError>> + 'a {
        let limit = self.first(next).unwrap_or(ROW_IDS);
        let (mut least, mut start) = (place.entry.first, 0_usize);
        let mut row = move |keys: &mut &[u8]| {
            let row_id = least.checked_add(take(keys)?).filter(|&row_id| row_id < limit)?;
            let end = start.checked_add(take(keys)? as usize).filter(|&end| end <= MAX_BLOCK_BYTES)?;
            least = row_id + 1;
            Some((row_id, std::mem::replace(&mut start, end)..end))
        };
        iter::from_fn(move || {
            (!keys.is_empty())
                .then(|| row(&mut keys).ok_or_else(|| self.damaged("the row ids of a block are impossible")))
        })
    }

    fn stored(&self, place: &Place) -> Result<Vec<u8>, BlockError> {
        let bytes = self.read(place.offset, place.entry.length as usize)?;
        if crc32fast::hash(&bytes) == place.entry.crc {
            Ok(bytes)
        } else {
            Err(self.damaged("the checksum of a block does not match"))
        }
    }

    /// The first bytes of what was deflated.
    fn inflated(&self, deflated: &[u8], length: usize) -> Result<Vec<u8>, BlockError> {
        let (mut bytes, mut inflate) = (vec![0; length], Decompress::new(false));
        let is_valid = inflate.decompress(deflated, &mut bytes, FlushDecompress::None).is_ok();
        let is_whole = is_valid && inflate.total_out() == length as u64;
        is_whole.then_some(bytes).ok_or_else(|| self.damaged("a block cannot be inflated"))
    }

    fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, BlockError> {
        let mut bytes = vec![0; length];
        match self.file.read_exact_at(&mut bytes, offset) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.damaged("it is cut short")),
            read => Ok(doing("reading", &self.path, read).map(|()| bytes)?),
        }
    }
}

impl Block {
    /// By rising row id.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.rows.iter().map(|(row_id, value)| (*row_id, self.values.get(value.clone()).unwrap_or_default()))
    }
}

fn places(index: &[u8], end: u64) -> Option<Vec<Place>> {
    let (mut offset, mut places) = (Header::LENGTH as u64, Vec::with_capacity(index.len() / BlockEntry::LENGTH));
    for bytes in index.chunks(BlockEntry::LENGTH) {
        let entry = BlockEntry::decode(bytes)?;
        places.push(Place { entry, offset });
        offset = offset.checked_add(u64::from(entry.length))?;
    }
    let rises = places.is_sorted_by(|one: &Place, next| one.entry.first < next.entry.first);
    (rises && offset == end).then_some(places)
}
