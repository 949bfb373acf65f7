//! Why a file is refused as a dataset.

use kuraka_tables::XlsxError;
use thiserror::Error;

use crate::text::SourceError;

/// Why a file is refused. The text names the dataset and what was found.
#[derive(Debug, Error)]
#[error("{dataset} cannot be read")]
pub struct ReadError {
    /// The dataset's name.
    pub dataset: &'static str,
    /// What is wrong with the file.
    #[source]
    pub problem: FileProblemError,
}

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum FileProblemError {
    /// It cannot be opened or unpacked, or exceeds a limit.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// It has no line.
    #[error("the file is empty")]
    Empty,
    /// It is UTF-16.
    #[error("the text is UTF-16, which is not supported; save it as UTF-8")]
    Utf16,
    /// Its first line is not the exact header.
    #[error("the first line is not the expected header: {detail}")]
    Header {
        /// The first difference.
        detail: String,
    },
    /// It has another dataset's file name.
    #[error("{found} is the file of the dataset {dataset}")]
    OtherFile {
        /// The file's name.
        found: String,
        /// The other dataset's name.
        dataset: &'static str,
    },
    /// It has the header of other datasets.
    #[error("it has the header of the dataset {dataset}")]
    OtherHeader {
        /// The other datasets' names.
        dataset: String,
    },
    /// A column is missing or was renamed.
    #[error("the header has no column {column:?}; its unknown columns: {found}")]
    MissingColumn {
        /// The column.
        column: &'static str,
        /// The unknown names, cut; one may be the renamed column.
        found: String,
    },
    /// A name occurs twice.
    #[error("the header has the column {column:?} twice")]
    RepeatedColumn {
        /// The column.
        column: &'static str,
    },
    /// It is not a readable workbook.
    #[error(transparent)]
    Workbook(#[from] XlsxError),
    /// It is a workbook where a text is expected.
    #[error("it is a zip with a workbook, not a text")]
    UnexpectedWorkbook,
}
