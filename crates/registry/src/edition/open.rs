//! Opens an edition file and verifies every byte.

use std::path::Path;

use super::Edition;
use super::container::Container;
use super::file::unreadable;
use super::records::Records;
use super::summary::read_meta;
use crate::dataset::Dataset;
use crate::format::{EditionError, header, record};
use crate::names::NameIndex;

const READ_BACK: u64 = 1000;

impl Edition {
    /// Opens and verifies the edition file of `dataset`, reading all of it.
    ///
    /// # Errors
    /// [`EditionError`]; a file that was cut, grown or changed by a single bit, or is of another dataset, is refused.
    pub fn open(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        let (container, (meta, records, names)) = Container::open(path, |container| {
            let meta = read_meta(container.section(header::META, Some)?, dataset)?;
            if container.count() != meta.rucs {
                return Err(unreadable(header::DIRECTORY));
            }
            let records = Records::new(dataset, &meta)?;
            Ok((meta, records, names(container)?))
        })?;
        Ok(Self { container, dataset, meta, records, names })
    }

    /// As [`Edition::open`], for an edition built here: reads some rows back by place and by RUC.
    pub(crate) fn open_built(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        let edition = Self::open(dataset, path)?;
        for ordinal in evenly(edition.taxpayers(), READ_BACK) {
            let damaged = || EditionError::Row { ordinal };
            let (ruc, record) = edition.record_at(ordinal).ok().flatten().ok_or_else(damaged)?;
            let is_same = edition.record(ruc) == Ok(Some(record.clone()));
            let is_readable = edition.records.texts(ruc, &record, &[], edition.container.words()).is_ok();
            if !is_same || !is_readable {
                return Err(damaged());
            }
        }
        Ok(edition)
    }

    /// As [`Edition::open_built`], for another machine's edition: checks the order of all rows, which takes a twentieth
    /// of an import.
    pub(crate) fn open_adopted(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        let edition = Self::open_built(dataset, path)?;
        edition.container.check_order()?;
        Ok(edition)
    }

    /// Up to `samples` taxpayers, evenly spaced, with their records. Damaged ones are left out.
    pub(crate) fn sample(&self, samples: u64) -> impl Iterator<Item = (kuraka_domain::Ruc, Vec<u8>)> + '_ {
        evenly(self.taxpayers(), samples).filter_map(|ordinal| self.record_at(ordinal).ok().flatten())
    }

    /// The status and condition in a record; `None` if records have none.
    pub(crate) fn state(&self, record: &[u8]) -> Option<u8> {
        record::state(self.dataset.records(), record)
    }
}

/// `None` = there is none, or one of another version.
fn names(container: &Container) -> Result<Option<NameIndex>, EditionError> {
    match container.section(header::NAMES, NameIndex::open) {
        Err(EditionError::MissingSection { .. }) => Ok(None),
        names => names.map(Some),
    }
}

/// Up to `samples` numbers below `count`, evenly spaced, the first and the last included.
fn evenly(count: u64, samples: u64) -> impl Iterator<Item = u64> {
    let samples = samples.min(count);
    (0..samples).map(move |nth| if samples < 2 { 0 } else { nth * (count - 1) / (samples - 1) })
}
