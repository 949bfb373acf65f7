//! Why a file is refused as a dataset.

use kuraka_tables::XlsxError;
use thiserror::Error;

use crate::text::SourceError;

/// Why a file is refused. The text names the dataset and what was found.
#[derive(Debug, Error)]
#[error("{dataset} cannot be read")]
pub struct ReadError {
    pub dataset: &'static str,
    #[source]
    pub problem: FileProblemError,
}

#[derive(Debug, Error)]
pub enum FileProblemError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("the file is empty")]
    Empty,
    #[error("the text is UTF-16, which is not supported; save it as UTF-8")]
    Utf16,
    #[error("the first line is not the expected header: {detail}")]
    Header { detail: String },
    #[error("{found} is the file of the dataset {dataset}")]
    OtherFile { found: String, dataset: &'static str },
    #[error("it has the header of the dataset {dataset}")]
    OtherHeader { dataset: String },
    #[error("the header has no column {column:?}; its unknown columns: {found}")]
    MissingColumn {
        column: &'static str,
        /// The unknown names, cut; one may be the renamed column.
        found: String,
    },
    #[error("the header has the column {column:?} twice")]
    RepeatedColumn { column: &'static str },
    #[error(transparent)]
    Workbook(#[from] XlsxError),
    #[error("it is a zip with a workbook, not a text")]
    UnexpectedWorkbook,
}
