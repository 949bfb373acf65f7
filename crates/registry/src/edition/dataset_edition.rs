//! One open edition of a dataset: the same file as the padrón's, with records of typed fields.

use std::fmt;
use std::path::Path;

use kuraka_domain::Ruc;

use super::container::Container;
use super::contents::Contents;
use super::dataset_rows::DatasetRows;
use super::error::{CorruptRow, EditionError};
use super::evenly::evenly;
use super::file::unreadable;
use super::open::READ_BACK;
use super::schema::{field_metas, schema};
use super::summary::dataset_meta;
use crate::DatasetMeta;
use crate::dataset::Dataset;
use crate::format::bucket::Bucket;
use crate::format::fields::{self, StoredField};
use crate::format::header::{self, Identity};
use crate::row_id::{row_id_of, ruc_at};

/// An edition file of a dataset that was verified and is mapped into memory.
///
/// Lookups are synchronous and may run on any number of threads.
pub struct DatasetEdition {
    container: Container,
    dataset: &'static Dataset,
    meta: DatasetMeta,
    schema: Vec<StoredField>,
    /// Values of a row.
    width: usize,
}

impl DatasetEdition {
    /// Opens and verifies the edition file of `dataset` at `path`, reading all of it.
    ///
    /// # Errors
    /// [`EditionError`]; a file that was cut, grown or changed by a single bit is refused, and the edition of another
    /// dataset.
    pub fn open(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        let (container, (meta, schema)) = Container::open(path, |container| {
            let meta = dataset_meta(container.section(header::META, Some)?, dataset)?;
            if container.count() != meta.rucs {
                return Err(unreadable(header::DIRECTORY));
            }
            let schema = schema(dataset, &meta.fields)?;
            Ok((meta, schema))
        })?;
        Ok(Self { container, dataset, meta, schema, width: dataset.fields().count().max(1) })
    }

    /// As [`DatasetEdition::open`], for an edition that is to be published: checks the order of all
    /// rows, and reads some back by place and by RUC.
    pub(crate) fn open_and_read_back(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        let edition = Self::open(dataset, path)?;
        edition.container.check_order()?;
        for ordinal in evenly(edition.rucs(), READ_BACK) {
            let (ruc, rows) = edition.at(ordinal).ok().flatten().ok_or(EditionError::Row { ordinal })?;
            if edition.lookup(ruc) != Ok(rows) {
                return Err(EditionError::Row { ordinal });
            }
        }
        Ok(edition)
    }

    /// The dataset.
    #[must_use]
    pub const fn dataset(&self) -> &'static Dataset {
        self.dataset
    }

    /// Whether it stores the fields that the description has now. An edition of an earlier version may lack one, until
    /// the file is imported again.
    #[must_use]
    pub fn has_all_fields(&self) -> bool {
        self.meta.fields == field_metas(self.dataset)
    }

    /// `YYYY-MM-DD-<8 hex>`; answers name their edition by it.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.meta.label
    }

    /// The metadata stored in the edition.
    #[must_use]
    pub const fn meta(&self) -> &DatasetMeta {
        &self.meta
    }

    /// The number of rows in it.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.meta.rows
    }

    /// The number of taxpayers that have them.
    #[must_use]
    pub const fn rucs(&self) -> u64 {
        self.meta.rucs
    }

    /// Whether reading the file has failed since it was opened. From then on every lookup is an error.
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

    /// Whether every byte that was mapped is still what was verified. Reads all of it.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.container.is_intact()
    }

    /// The rows of this RUC; none if it has none.
    ///
    /// # Errors
    /// [`CorruptRow`] if the stored bytes changed since the edition was opened, or the file can no longer be read.
    pub fn lookup(&self, ruc: Ruc) -> Result<DatasetRows<'_>, CorruptRow> {
        let row_id = row_id_of(ruc);
        let Some((bucket, place)) = self.container.find(row_id)? else { return Ok(DatasetRows::default()) };
        self.decode(&bucket, place).ok_or(CorruptRow::near(row_id))
    }

    /// The number of rows of this RUC. Costs less than [`DatasetEdition::lookup`], because it reads no texts.
    ///
    /// # Errors
    /// As [`DatasetEdition::lookup`].
    pub fn count(&self, ruc: Ruc) -> Result<usize, CorruptRow> {
        let row_id = row_id_of(ruc);
        let Some((bucket, place)) = self.container.find(row_id)? else { return Ok(0) };
        let rows = bucket.record(place).and_then(|record| fields::count(record, &self.schema));
        rows.filter(|&rows| rows > 0).ok_or(CorruptRow::near(row_id))
    }

    /// Every taxpayer with its rows, in the edition's order: by prefix, then by number. A damaged bucket is one error.
    pub fn iter(&self) -> impl Iterator<Item = Result<(Ruc, DatasetRows<'_>), CorruptRow>> + '_ {
        self.container.buckets().flat_map(move |bucket| {
            let rows = bucket.as_ref().map_or(1, Bucket::rows);
            (0..rows).map(move |place| self.rows_in(bucket.as_ref().map_err(Clone::clone)?, place))
        })
    }

    /// Every taxpayer, in the edition's order.
    pub fn iter_rucs(&self) -> impl Iterator<Item = Result<Ruc, CorruptRow>> + '_ {
        self.container.buckets().flat_map(move |bucket| {
            let rows = bucket.as_ref().map_or(1, Bucket::rows);
            (0..rows).map(move |place| ruc_in(bucket.as_ref().map_err(Clone::clone)?, place))
        })
    }

    /// The taxpayer at this position in the edition's order, with its rows; `None` = past the last.
    pub(crate) fn at(&self, ordinal: u64) -> Result<Option<(Ruc, DatasetRows<'_>)>, CorruptRow> {
        self.container.find_at(ordinal)?.map(|(bucket, place)| self.rows_in(&bucket, place)).transpose()
    }

    pub(crate) const fn identity(&self) -> Identity {
        self.container.identity()
    }

    /// The dictionary's words by number.
    pub(crate) fn dictionary(&self) -> impl Iterator<Item = &[u8]> {
        self.container.dictionary()
    }

    fn rows_in(&self, bucket: &Bucket, place: usize) -> Result<(Ruc, DatasetRows<'_>), CorruptRow> {
        let ruc = ruc_in(bucket, place)?;
        Ok((ruc, self.decode(bucket, place).ok_or(CorruptRow::near(row_id_of(ruc)))?))
    }

    /// The stored rows, for a comparison with another edition.
    pub(crate) const fn contents(&self) -> Contents<'_> {
        Contents::new(&self.container)
    }

    fn decode(&self, bucket: &Bucket, place: usize) -> Option<DatasetRows<'_>> {
        self.decode_record(bucket.record(place)?)
    }

    /// Reads a record of this edition.
    pub(crate) fn decode_record(&self, record: &[u8]) -> Option<DatasetRows<'_>> {
        (!record.is_empty()).then_some(())?;
        let values = fields::decode(record, &self.schema, self.width, self.container.words())?;
        Some(DatasetRows::new(values, self.width))
    }
}

fn ruc_in(bucket: &Bucket, place: usize) -> Result<Ruc, CorruptRow> {
    let row_id = bucket.row_id(place).unwrap_or_default();
    ruc_at(row_id).ok_or(CorruptRow::near(row_id))
}

impl fmt::Debug for DatasetEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatasetEdition").field("meta", &self.meta).finish_non_exhaustive()
    }
}
