//! One open edition: verified once as a whole, then answered from.
//!
//! Opening reads every byte, which checks it and brings it into memory. After that each lookup checks the bytes it
//! uses again, because a disk can change a file under a running server. This module refuses to know which edition is
//! the current one.

mod error;

use std::fmt;
use std::fs::File;
use std::ops::Range;
use std::path::Path;

use kuraka_domain::{Ruc, TaxpayerSummary};
use memmap2::Mmap;

pub use error::{CorruptRow, EditionError};

use crate::Meta;
use crate::format::block::{Block, Bucket};
use crate::format::directory::Directory;
use crate::format::header::{self, Header, Identity, SectionName};
use crate::format::lists::Lists;
use crate::format::record;
use crate::format::words::Words;
use crate::row_id::{BLOCK_BITS, BLOCKS, row_id_of, ruc_at};

/// The version of every section this crate reads and writes.
pub(crate) const SECTION_VERSION: u32 = 1;
/// Rows read back before an edition is published.
const READ_BACK: u64 = 1000;

/// An edition file that was verified and is mapped into memory.
///
/// Lookups are synchronous, take well under a microsecond when the file is in memory, and may run on any number of
/// threads.
pub struct OpenEdition {
    map: Mmap,
    meta: Meta,
    identity: Identity,
    directory: Directory,
    rows: Range<usize>,
    words: Words,
    lists: Lists,
}

impl OpenEdition {
    /// Opens and verifies the edition file at `path`, reading all of it.
    ///
    /// # Errors
    /// [`EditionError`]; a file that was cut, grown or changed by a single bit is refused.
    pub fn open(path: &Path) -> Result<Self, EditionError> {
        let file = File::open(path)?;
        #[allow(unsafe_code, reason = "a mapping is the only way to share 300 MB between processes and editions")]
        // SAFETY: the mapping is read only, and edition files are never written after publication: they are replaced
        // by rename and removed by unlink, both of which keep the mapped file alive. Damage done behind our back is
        // caught by the checks of each lookup, which never rely on a byte staying what it was.
        let map = unsafe { Mmap::map(&file)? };
        Self::verify(map)
    }

    /// As [`OpenEdition::open`], and reads some rows back: an edition that is to be published.
    pub(crate) fn open_and_read_back(path: &Path) -> Result<Self, EditionError> {
        let edition = Self::open(path)?;
        edition.check_rows(READ_BACK)?;
        Ok(edition)
    }

    fn verify(map: Mmap) -> Result<Self, EditionError> {
        let (header, identity) = Header::decode(&map)?;
        if header.file_length != map.len() as u64 {
            return Err(EditionError::Length { declared: header.file_length, found: map.len() as u64 });
        }
        for section in &header.sections {
            let range = section.offset as usize..(section.offset + section.length) as usize;
            if map.get(range).map(crc32fast::hash) != Some(section.crc) {
                return Err(EditionError::Checksum { section: header::display(&section.name) });
            }
        }
        let meta = Self::read_meta(&map, &header)?;
        let rows = find(&header, header::ROWS)?;
        let directory = map
            .get(find(&header, header::DIRECTORY)?)
            .and_then(|section| Directory::decode(section, rows.len() as u64))
            .filter(|directory| directory.rows() == meta.rows)
            .ok_or_else(|| unreadable(&header::DIRECTORY))?;
        let words =
            map.get(find(&header, header::WORDS)?).and_then(Words::decode).ok_or_else(|| unreadable(&header::WORDS))?;
        let lists =
            map.get(find(&header, header::LISTS)?).and_then(Lists::decode).ok_or_else(|| unreadable(&header::LISTS))?;
        Ok(Self { identity, meta, directory, rows, words, lists, map })
    }

    fn read_meta(map: &[u8], header: &Header) -> Result<Meta, EditionError> {
        map.get(find(header, header::META)?)
            .and_then(|section| serde_json::from_slice(section).ok())
            .ok_or_else(|| unreadable(&header::META))
    }

    /// `YYYY-MM-DD-<8 hex>`: what answers say they come from.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.meta.label
    }

    /// What the edition says about itself.
    #[must_use]
    pub const fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Taxpayers in it.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.directory.rows()
    }

    /// The taxpayer with this RUC; `None` = the edition positively has none.
    ///
    /// # Errors
    /// [`CorruptRow`] if the stored bytes changed since the edition was opened.
    pub fn lookup(&self, ruc: Ruc) -> Result<Option<TaxpayerSummary>, CorruptRow> {
        let row_id = row_id_of(ruc);
        let block = row_id >> BLOCK_BITS;
        let Some(stored) = self.block(block) else { return Ok(None) };
        let bucket = stored.bucket_of(row_id).ok_or(CorruptRow { block })?;
        let Some(place) = bucket.find(row_id) else { return Ok(None) };
        self.decode(ruc, bucket, place).map(Some).ok_or(CorruptRow { block })
    }

    /// The taxpayer at this place in the edition's order, from 0; `None` = past the last.
    ///
    /// # Errors
    /// As [`OpenEdition::lookup`].
    pub fn row(&self, ordinal: u64) -> Result<Option<TaxpayerSummary>, CorruptRow> {
        let Some(block) = self.directory.block_of(ordinal) else { return Ok(None) };
        let read = || {
            let first = self.directory.block(block)?.0.ordinal;
            let rank = usize::try_from(ordinal.checked_sub(u64::from(first))?).ok()?;
            let (bucket, place) = self.block(block)?.bucket_of_rank(rank)?;
            self.decode(ruc_at(bucket.row_id(place)?)?, bucket, place)
        };
        read().map(Some).ok_or(CorruptRow { block })
    }

    /// Every taxpayer in the edition's order: by prefix, then by number. A damaged bucket is one error.
    pub fn iter(&self) -> impl Iterator<Item = Result<TaxpayerSummary, CorruptRow>> + '_ {
        (0..BLOCKS)
            .filter_map(|number| Some((number, self.block(number)?)))
            .flat_map(|(number, block)| (0..block.buckets()).map(move |index| (number, block.bucket(index))))
            .flat_map(move |(block, bucket)| {
                let rows = bucket.map_or(1, |bucket| bucket.rows());
                (0..rows).map(move |place| {
                    bucket
                        .and_then(|bucket| self.decode(ruc_at(bucket.row_id(place)?)?, bucket, place))
                        .ok_or(CorruptRow { block })
                })
            })
    }

    /// The stored bytes of a row, for comparison between editions.
    #[cfg(test)]
    pub(crate) fn record(&self, ruc: Ruc) -> Option<&[u8]> {
        let row_id = row_id_of(ruc);
        let bucket = self.block(row_id >> BLOCK_BITS)?.bucket_of(row_id)?;
        bucket.record(bucket.find(row_id)?)
    }

    pub(crate) const fn identity(&self) -> Identity {
        self.identity
    }

    pub(crate) const fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The dictionary's words by number.
    pub(crate) fn dictionary(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.words.count()).filter_map(|id| self.words.word(id))
    }

    /// Reads `samples` evenly spaced rows back, by place and by RUC.
    fn check_rows(&self, samples: u64) -> Result<(), EditionError> {
        for ordinal in evenly(self.rows(), samples) {
            let row = self.row(ordinal).ok().flatten().ok_or(EditionError::Row { ordinal })?;
            if self.lookup(row.ruc) != Ok(Some(row)) {
                return Err(EditionError::Row { ordinal });
            }
        }
        Ok(())
    }

    /// `None` = the block has no row.
    fn block(&self, number: u32) -> Option<Block<'_>> {
        let (start, end) = self.directory.block(number)?;
        let rows = end.ordinal.checked_sub(start.ordinal).filter(|&rows| rows > 0)?;
        let section = self.map.get(self.rows.clone())?;
        // An impossible range reads as a block without a byte, of which no bucket passes its check.
        let bytes = section.get(start.offset as usize..end.offset as usize).unwrap_or_default();
        Some(Block::new(number, rows as usize, bytes))
    }

    fn decode(&self, ruc: Ruc, bucket: Bucket<'_>, place: usize) -> Option<TaxpayerSummary> {
        record::decode(ruc, bucket.record(place)?, &self.words)
    }
}

impl fmt::Debug for OpenEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenEdition").field("meta", &self.meta).finish_non_exhaustive()
    }
}

/// What an edition file's header and `meta` section say, without reading the rows.
pub(crate) struct Summary {
    pub(crate) meta: Meta,
    pub(crate) identity: Identity,
    pub(crate) sequence: u64,
    pub(crate) bytes: u64,
}

/// Reads only the header and the `meta` section of the edition file at `path`.
pub(crate) fn summarise(path: &Path) -> Result<Summary, EditionError> {
    let file = File::open(path)?;
    #[allow(unsafe_code, reason = "as in OpenEdition::open")]
    // SAFETY: as in `OpenEdition::open`.
    let map = unsafe { Mmap::map(&file)? };
    let (header, identity) = Header::decode(&map)?;
    let meta = OpenEdition::read_meta(&map, &header)?;
    Ok(Summary { meta, identity, sequence: header.sequence, bytes: map.len() as u64 })
}

/// Up to `samples` numbers below `count`, evenly spaced, the first and the last included.
pub(crate) fn evenly(count: u64, samples: u64) -> impl Iterator<Item = u64> {
    let samples = samples.min(count);
    (0..samples).map(move |nth| if samples < 2 { 0 } else { nth * (count - 1) / (samples - 1) })
}

fn find(header: &Header, name: SectionName) -> Result<Range<usize>, EditionError> {
    header
        .sections
        .iter()
        .find(|section| section.name == name && section.version == SECTION_VERSION)
        .map(|section| section.offset as usize..(section.offset + section.length) as usize)
        .ok_or_else(|| EditionError::MissingSection { section: header::display(&name) })
}

fn unreadable(name: &SectionName) -> EditionError {
    EditionError::Content { section: header::display(name) }
}
