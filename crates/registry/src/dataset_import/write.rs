//! Writes one edition of a dataset to a temporary file.

use std::path::Path;

use super::builder::Builder;
use super::sort::sort;
use crate::dataset::Dataset;
use crate::folder::disk::Disk;
use crate::format::header::{META, WORDS};
use crate::import::{IndexWriter, sort_all};
use crate::{DatasetMeta, ImportError};

/// Sections of a dataset's edition.
const SECTIONS: usize = 6;

/// The sorted rows of an edition that is being written.
pub(super) struct Written<'a> {
    index: IndexWriter<'a>,
    vocabulary: crate::import::Vocabulary,
    /// Rows in it.
    pub(super) rows: u64,
    /// Taxpayers in it.
    pub(super) rucs: u64,
    /// Repeated rows that were left out.
    pub(super) repeated: u64,
    /// How many of the sampled taxpayers are in it.
    pub(super) present: u64,
}

impl<'a> Written<'a> {
    /// Sorts and writes the rows.
    pub(super) fn rows(
        disk: &'a dyn Disk,
        aside: &'a Path,
        dataset: &Dataset,
        builder: Builder,
        sample: &[u32],
    ) -> Result<Self, ImportError> {
        let Builder { vocabulary, partitions, .. } = builder;
        let index = IndexWriter::create(disk, aside, SECTIONS)?;
        let mut written = Self { index, vocabulary, rows: 0, rucs: 0, repeated: 0, present: 0 };
        sort_all(
            partitions,
            |number, partition| sort(number, partition, dataset.rows, sample),
            |sorted| {
                if sorted.has_too_many_rows {
                    return Err(ImportError::TooLarge { what: "a taxpayer has more than 65,536 rows" });
                }
                written.rows += sorted.rows;
                written.repeated += sorted.duplicates.len() as u64;
                written.present += sorted.present;
                written.index.buckets(&sorted)
            },
        )?;
        written.rucs = written.index.rows();
        Ok(written)
    }

    /// Writes the other sections and the header. Returns the file's length.
    pub(super) fn finish(mut self, meta: &DatasetMeta, sequence: u64, parent: [u8; 32]) -> Result<u64, ImportError> {
        self.index.end_rows()?;
        self.index.section(WORDS, &self.vocabulary.encode())?;
        // A structure of texts and numbers always has a JSON form.
        self.index.section(META, &serde_json::to_vec(meta).unwrap_or_default())?;
        Ok(self.index.finish(sequence, parent)?)
    }
}
