//! One open edition.
//!
//! Opening verifies every byte and brings the file into memory. Each lookup verifies the bytes it uses again, because a
//! file can change under a running server. Once reading the file has failed, every lookup fails.

mod bus_error;
mod compare;
mod file;
mod open;
mod records;
mod rows;
mod search;
mod summary;

use std::fmt;

use kuraka_domain::{Ruc, TaxpayerSummary};

pub use records::{Cell, Row};
pub(crate) use records::{MAX_TEXTS_BYTES, TextsError, field_metas};
pub use rows::EditionRows;
pub use search::SearchError;
pub(crate) use summary::{Summary, summarise};

use crate::Meta;
use crate::dataset::Dataset;
use crate::format::bucket::Bucket;
use crate::format::groups::Groups;
use crate::format::header::{Header, Identity, SectionKind};
use crate::format::words::Words;
use crate::format::{CorruptRowError, EditionError, fields, record};
use crate::names::NameIndex;
use crate::row_id::{row_id_of, ruc_at};
use file::MappedFile;
use records::Records;

/// Taxpayers of a batch fetched from memory together.
const FETCHED_AT_ONCE: usize = 16;

/// A verified edition file, mapped into memory.
///
/// Lookups are synchronous, take well under a microsecond when the file is in memory, and may run on any number of
/// threads.
pub struct Edition {
    file: MappedFile,
    header: Header,
    identity: Identity,
    groups: Groups,
    words: Words,
    dataset: &'static Dataset,
    meta: Meta,
    records: Records,
    names: Option<NameIndex>,
}

impl Edition {
    pub const fn dataset(&self) -> &'static Dataset {
        self.dataset
    }

    /// `YYYY-MM-DD-<8 hex>`, the edition's name in answers.
    pub fn label(&self) -> &str {
        &self.meta.label
    }

    pub const fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Whether it stores all described fields; an edition of another version may lack one.
    pub fn has_all_fields(&self) -> bool {
        self.meta.fields == field_metas(self.dataset)
    }

    /// Whether reading the file has failed since it was opened.
    pub fn is_unreadable(&self) -> bool {
        self.file.is_unreadable()
    }

    /// Whether the file was written, truncated or extended since it was opened, or reading it has failed. Renaming and
    /// removing do not count.
    pub fn has_changed(&self) -> bool {
        self.file.has_changed()
    }

    /// The taxpayer without the flags of lists; `None` = the RUC is not in the edition, or the edition has no
    /// [summaries](crate::dataset::RecordForm::Summary).
    ///
    /// # Errors
    /// [`CorruptRowError`] if the stored bytes changed since the edition was opened, or the file can no longer be read.
    pub fn summary(&self, ruc: Ruc) -> Result<Option<TaxpayerSummary>, CorruptRowError> {
        let Records::Summaries = self.records else { return Ok(None) };
        self.find(ruc, |record| record::decode(ruc, record, &self.words))
    }

    /// [`Edition::summary`] of each RUC, in order. Faster than single lookups: the processor fetches the bytes of
    /// several together.
    pub fn summaries<'a>(
        &'a self,
        rucs: &'a [Ruc],
    ) -> impl Iterator<Item = Result<Option<TaxpayerSummary>, CorruptRowError>> + 'a {
        rucs.chunks(FETCHED_AT_ONCE).flat_map(|rucs| {
            self.fetch(rucs.iter().copied());
            rucs.iter().map(|ruc| self.summary(*ruc))
        })
    }

    /// The RUC's rows; none if the edition has no [fields](crate::dataset::RecordForm::Fields).
    ///
    /// # Errors
    /// As [`Edition::summary`].
    pub fn rows(&self, ruc: Ruc) -> Result<EditionRows<'_>, CorruptRowError> {
        let Records::Fields(schema) = &self.records else { return Ok(EditionRows::default()) };
        let found = self.find(ruc, |record| schema.decode(record, &self.words))?;
        Ok(found.unwrap_or_default())
    }

    /// The number of rows of this RUC. Cheaper than [`Edition::rows`]: it reads no texts.
    ///
    /// # Errors
    /// As [`Edition::summary`].
    pub fn count(&self, ruc: Ruc) -> Result<usize, CorruptRowError> {
        let count = |record: &[u8]| match &self.records {
            Records::Summaries => Some(1),
            Records::Fields(_) => fields::count(record).filter(|&rows| rows > 0),
        };
        Ok(self.find(ruc, count)?.unwrap_or(0))
    }

    /// Whether it has an index of names.
    pub const fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// Every taxpayer, by prefix, then by number. A damaged bucket is one error.
    pub fn rucs(&self) -> impl Iterator<Item = Result<Ruc, CorruptRowError>> + '_ {
        self.buckets(1).flat_map(move |bucket| {
            let rows = bucket.as_ref().map_or(1, Bucket::rows);
            (0..rows).map(move |place| ruc_in(bucket.as_ref().map_err(Clone::clone)?, place))
        })
    }

    pub(crate) fn record(&self, ruc: Ruc) -> Result<Option<Vec<u8>>, CorruptRowError> {
        self.find(ruc, |record| Some(record.to_vec()))
    }

    pub(crate) const fn identity(&self) -> Identity {
        self.identity
    }

    /// The number of the publication that it was built for.
    pub(crate) const fn sequence(&self) -> u64 {
        self.header.sequence
    }

    pub(crate) fn dictionary(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.words.count()).filter_map(|id| self.words.word(id))
    }

    #[inline]
    fn find<T>(&self, ruc: Ruc, read: impl FnOnce(&[u8]) -> Option<T>) -> Result<Option<T>, CorruptRowError> {
        let row_id = row_id_of(ruc);
        // A group without rows is known without a read.
        if self.is_unreadable() {
            return Err(CorruptRowError::near(row_id));
        }
        let bucket = self.readable(row_id, self.groups.bucket_of(&self.file, row_id))?;
        let Some((bucket, place)) = bucket.and_then(|bucket| bucket.find(row_id).map(|place| (bucket, place))) else {
            return Ok(None);
        };
        bucket.record(place).and_then(read).map(Some).ok_or(CorruptRowError::near(row_id))
    }

    /// Fails if reading the file has failed. Call it after the read.
    fn readable<T>(&self, row_id: u32, read: Result<T, CorruptRowError>) -> Result<T, CorruptRowError> {
        if self.is_unreadable() { Err(CorruptRowError::near(row_id)) } else { read }
    }

    /// Brings what lookups of these RUCs read into the processor's caches, all together.
    fn fetch(&self, rucs: impl Iterator<Item = Ruc> + Clone) {
        self.groups.fetch(&self.file, rucs.map(row_id_of));
    }

    /// Every `step`th, in the order of row ids.
    fn buckets(&self, step: usize) -> impl Iterator<Item = Result<Bucket, CorruptRowError>> + '_ {
        self.groups.buckets(&self.file, step).map(|bucket| self.readable(0, bucket))
    }

    fn section(&self, kind: SectionKind) -> Result<&[u8], EditionError> {
        file::read(&self.file, &self.header, kind, Some)
    }
}

fn ruc_in(bucket: &Bucket, place: usize) -> Result<Ruc, CorruptRowError> {
    let row_id = bucket.row_id(place).unwrap_or_default();
    ruc_at(row_id).ok_or(CorruptRowError::near(row_id))
}

impl fmt::Debug for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edition").field("meta", &self.meta).finish_non_exhaustive()
    }
}
