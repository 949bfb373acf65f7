//! One open edition: verified once as a whole, then used for lookups.
//!
//! Opening reads every byte, which verifies the file and brings it into memory. Later, each lookup verifies the bytes
//! it uses again, because a file can change on the disk under a running server. Once reading the file has failed, there
//! are no more answers. This module does not decide which edition is current.

mod bus_error;
mod error;
mod evenly;
mod file;
mod open;
mod summary;

use std::fmt;
use std::ops::Range;

use kuraka_domain::{Ruc, TaxpayerSummary};

pub use error::{CorruptRow, EditionError};
pub(crate) use evenly::evenly;
pub(crate) use summary::{Summary, summarise};

use crate::Meta;
use crate::format::block::{Block, Bucket};
use crate::format::directory::Directory;
use crate::format::header::Identity;
use crate::format::lists::Lists;
use crate::format::record;
use crate::format::words::Words;
use crate::row_id::{BLOCK_BITS, BLOCKS, row_id_of, ruc_at};
use file::MappedFile;

/// An edition file that was verified and is mapped into memory.
///
/// Lookups are synchronous, take well under a microsecond when the file is in memory, and may run on any number of
/// threads.
pub struct OpenEdition {
    file: MappedFile,
    meta: Meta,
    identity: Identity,
    directory: Directory,
    rows: Range<usize>,
    words: Words,
    lists: Lists,
}

impl OpenEdition {
    /// `YYYY-MM-DD-<8 hex>`; answers name their edition by it.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.meta.label
    }

    /// The metadata stored in the edition.
    #[must_use]
    pub const fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The number of taxpayers in it.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.directory.rows()
    }

    /// Whether reading the file has failed since it was opened, because it was truncated or its disk fails. From then on
    /// every lookup is an error.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.file.is_unreadable()
    }

    /// Whether the file was written, truncated or extended since it was opened, or reading it has failed. A file that
    /// was only renamed or removed is unchanged.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.file.has_changed()
    }

    /// The taxpayer with this RUC; `None` = the RUC is not in the edition.
    ///
    /// # Errors
    /// [`CorruptRow`] if the stored bytes changed since the edition was opened, or the file can no longer be read.
    pub fn lookup(&self, ruc: Ruc) -> Result<Option<TaxpayerSummary>, CorruptRow> {
        let row_id = row_id_of(ruc);
        let block = row_id >> BLOCK_BITS;
        // A block without rows is known without a read.
        if self.is_unreadable() {
            return Err(CorruptRow { block });
        }
        let Some(stored) = self.block(block) else { return Ok(None) };
        let bucket = self.readable(stored.bucket_of(row_id)).ok_or(CorruptRow { block })?;
        let Some(place) = bucket.find(row_id) else { return Ok(None) };
        self.decode(ruc, &bucket, place).map(Some).ok_or(CorruptRow { block })
    }

    /// The taxpayer at this position in the edition's order, from 0; `None` = past the last.
    ///
    /// # Errors
    /// As [`OpenEdition::lookup`].
    pub fn row(&self, ordinal: u64) -> Result<Option<TaxpayerSummary>, CorruptRow> {
        let Some(block) = self.directory.block_of(ordinal) else { return Ok(None) };
        let read = || {
            let first = self.directory.block(block)?.0.ordinal;
            let rank = usize::try_from(ordinal.checked_sub(u64::from(first))?).ok()?;
            let (bucket, place) = self.readable(self.block(block)?.bucket_of_rank(rank))?;
            self.decode(ruc_at(bucket.row_id(place)?)?, &bucket, place)
        };
        read().map(Some).ok_or(CorruptRow { block })
    }

    /// Every taxpayer in the edition's order: by prefix, then by number. A damaged bucket is one error.
    pub fn iter(&self) -> impl Iterator<Item = Result<TaxpayerSummary, CorruptRow>> + '_ {
        (0..BLOCKS)
            .filter_map(|number| Some((number, self.block(number)?)))
            .flat_map(move |(number, block)| {
                (0..block.buckets()).map(move |index| (number, self.readable(block.bucket(index))))
            })
            .flat_map(move |(block, bucket)| {
                let rows = bucket.as_ref().map_or(1, Bucket::rows);
                (0..rows).map(move |place| {
                    bucket
                        .as_ref()
                        .and_then(|bucket| self.decode(ruc_at(bucket.row_id(place)?)?, bucket, place))
                        .ok_or(CorruptRow { block })
                })
            })
    }

    /// The stored bytes of a row, for comparison between editions.
    #[cfg(test)]
    pub(crate) fn record(&self, ruc: Ruc) -> Option<Vec<u8>> {
        let row_id = row_id_of(ruc);
        let bucket = self.block(row_id >> BLOCK_BITS)?.bucket_of(row_id)?;
        bucket.record(bucket.find(row_id)?).map(<[u8]>::to_vec)
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

    /// What was read from the file, unless reading it has failed. Call it after the read.
    fn readable<T>(&self, read: Option<T>) -> Option<T> {
        read.filter(|_| !self.file.is_unreadable())
    }

    /// `None` = the block has no row.
    fn block(&self, number: u32) -> Option<Block<'_>> {
        let (start, end) = self.directory.block(number)?;
        let rows = end.ordinal.checked_sub(start.ordinal).filter(|&rows| rows > 0)?;
        let section = self.file.get(self.rows.clone())?;
        // An impossible range reads as an empty block; none of its buckets passes its check.
        let bytes = section.get(start.offset as usize..end.offset as usize).unwrap_or_default();
        Some(Block::new(number, rows as usize, bytes))
    }

    fn decode(&self, ruc: Ruc, bucket: &Bucket, place: usize) -> Option<TaxpayerSummary> {
        record::decode(ruc, bucket.record(place)?, &self.words)
    }
}

impl fmt::Debug for OpenEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenEdition").field("meta", &self.meta).finish_non_exhaustive()
    }
}
