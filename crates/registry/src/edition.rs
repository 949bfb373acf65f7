//! One open edition: verified once as a whole, then used for lookups.
//!
//! Opening reads every byte, which verifies the file and brings it into memory. Later, each lookup verifies the bytes
//! it uses again, because a file can change on the disk under a running server. Once reading the file has failed, there
//! are no more answers. This module does not decide which edition is current.

mod bus_error;
mod container;
mod contents;
mod dataset_edition;
mod dataset_rows;
mod edition_file;
mod error;
mod evenly;
mod file;
mod open;
mod schema;
mod summary;

use std::fmt;

use kuraka_domain::{Ruc, TaxpayerSummary};

pub(crate) use contents::Contents;
pub use dataset_edition::DatasetEdition;
pub use dataset_rows::{DatasetRow, DatasetRows};
pub use edition_file::EditionFile;
pub use error::{CorruptRow, EditionError};
pub(crate) use evenly::evenly;
pub(crate) use schema::field_metas;
pub(crate) use summary::{Summary, summarise};

use crate::Meta;
use crate::format::bucket::Bucket;
use crate::format::header::Identity;
use crate::format::lists::Lists;
use crate::format::record;
use crate::row_id::{row_id_of, ruc_at};
use container::Container;

/// An edition file that was verified and is mapped into memory.
///
/// Lookups are synchronous, take well under a microsecond when the file is in memory, and may run on any number of
/// threads.
pub struct OpenEdition {
    container: Container,
    meta: Meta,
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
        self.container.count()
    }

    /// Whether reading the file has failed since it was opened, because it was truncated or its disk fails. From then on
    /// every lookup is an error.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.container.is_unreadable()
    }

    /// Whether the file was written, truncated or extended since it was opened, or reading it has failed. A file that
    /// was only renamed or removed is unchanged.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.container.has_changed()
    }

    /// Whether every byte that was mapped is still what was verified, whatever became of the file's name and length.
    /// Reads all of it.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.container.is_intact()
    }

    /// The taxpayer with this RUC; `None` = the RUC is not in the edition.
    ///
    /// # Errors
    /// [`CorruptRow`] if the stored bytes changed since the edition was opened, or the file can no longer be read.
    pub fn lookup(&self, ruc: Ruc) -> Result<Option<TaxpayerSummary>, CorruptRow> {
        let row_id = row_id_of(ruc);
        let Some((bucket, place)) = self.container.find(row_id)? else { return Ok(None) };
        self.decode(ruc, &bucket, place).map(Some).ok_or(CorruptRow::near(row_id))
    }

    /// The taxpayer at this position in the edition's order, from 0; `None` = past the last.
    ///
    /// # Errors
    /// As [`OpenEdition::lookup`].
    pub fn row(&self, ordinal: u64) -> Result<Option<TaxpayerSummary>, CorruptRow> {
        self.container.find_at(ordinal)?.map(|(bucket, place)| self.row_in(&bucket, place)).transpose()
    }

    /// Every taxpayer in the edition's order: by prefix, then by number. A damaged bucket is one error.
    pub fn iter(&self) -> impl Iterator<Item = Result<TaxpayerSummary, CorruptRow>> + '_ {
        self.container.buckets().flat_map(move |bucket| {
            let rows = bucket.as_ref().map_or(1, Bucket::rows);
            (0..rows).map(move |place| self.row_in(bucket.as_ref().map_err(Clone::clone)?, place))
        })
    }

    /// The stored bytes of a row, for comparison between editions.
    #[cfg(test)]
    pub(crate) fn record(&self, ruc: Ruc) -> Option<Vec<u8>> {
        let (bucket, place) = self.container.find(row_id_of(ruc)).ok()??;
        bucket.record(place).map(<[u8]>::to_vec)
    }

    /// The stored rows, for a comparison with another edition.
    pub(crate) const fn contents(&self) -> Contents<'_> {
        Contents::new(&self.container)
    }

    /// Reads a record of this edition.
    pub(crate) fn decode_record(&self, row_id: u32, record: &[u8]) -> Option<TaxpayerSummary> {
        record::decode(ruc_at(row_id)?, record, self.container.words())
    }

    pub(crate) const fn identity(&self) -> Identity {
        self.container.identity()
    }

    pub(crate) const fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The dictionary's words by number.
    pub(crate) fn dictionary(&self) -> impl Iterator<Item = &[u8]> {
        self.container.dictionary()
    }

    fn row_in(&self, bucket: &Bucket, place: usize) -> Result<TaxpayerSummary, CorruptRow> {
        let row_id = bucket.row_id(place).unwrap_or_default();
        ruc_at(row_id).and_then(|ruc| self.decode(ruc, bucket, place)).ok_or(CorruptRow::near(row_id))
    }

    fn decode(&self, ruc: Ruc, bucket: &Bucket, place: usize) -> Option<TaxpayerSummary> {
        record::decode(ruc, bucket.record(place)?, self.container.words())
    }
}

impl fmt::Debug for OpenEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenEdition").field("meta", &self.meta).finish_non_exhaustive()
    }
}
