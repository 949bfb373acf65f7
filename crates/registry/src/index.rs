//! Turns rows into an index file: encodes them as records, sorts them by row id, and writes the sections.
//!
//! Rows are kept by range of row ids until the file is read, then sorted and written range by range. Peak memory is
//! about the size of the encoded rows.

mod draft;
mod encode;
mod error;
mod fields;
mod padron;
mod partition;
mod records;
mod sort;
mod vocabulary;
mod word;
mod writer;

use std::path::Path;

use crate::dataset::{Dataset, RecordForm};
use crate::progress::Progress;
use crate::reader::{ReadError, Report};
pub use error::IndexError;
pub(crate) use records::Records;
pub(crate) use sort::SampledRow;
pub(crate) use vocabulary::Vocabulary;
pub(crate) use writer::IndexWriter;

/// Reads the file of `dataset` at `path` and encodes its rows. Known words keep their numbers.
pub(crate) fn read<E: From<ReadError> + From<IndexError>>(
    dataset: &'static Dataset,
    path: &Path,
    vocabulary: Vocabulary,
    progress: &dyn Progress,
) -> Result<(Records, Report), E> {
    match dataset.records() {
        RecordForm::Summary => padron::read(dataset, path, vocabulary, progress),
        RecordForm::Fields => fields::read(dataset, path, vocabulary, progress),
    }
}
