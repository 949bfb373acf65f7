//! Why an edition file, or a row, is unusable.

use std::io;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum EditionError {
    #[error("the edition file cannot be read")]
    Io(#[from] io::Error),
    #[error("this is not an edition file")]
    NotAnEdition,
    #[error("the edition has format {found}, this version reads format {readable}; import the file again")]
    Version { found: u32, readable: u32 },
    #[error("the edition's header is damaged: {0}")]
    Header(&'static str),
    #[error("the edition file has {found} bytes, its header says {declared}")]
    Length { declared: u64, found: u64 },
    #[error("the edition lacks a readable section {section}")]
    MissingSection { section: String },
    #[error("section {section} of the edition is damaged")]
    Checksum { section: String },
    #[error("section {section} of the edition is not readable")]
    Content { section: String },
    #[error("the edition would need more memory than 1.3 times its file size")]
    Memory,
    #[error("this is an edition of {found:?}, not of {wanted}")]
    OtherDataset { found: String, wanted: &'static str },
    #[error("the edition stores the field {field:?} as {found:?}, this version reads {readable}; import it again")]
    Field {
        field: String,
        found: String,
        /// The kind that this version reads.
        readable: &'static str,
    },
    #[error(transparent)]
    Row(#[from] CorruptRowError),
}

/// The bytes of a row changed after the edition was opened, so there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("group {group} of the edition is damaged; import the file again or roll back")]
pub struct CorruptRowError {
    /// The damaged group of 65,536 row ids.
    pub group: u32,
}

impl CorruptRowError {
    pub(crate) const fn near(row_id: u32) -> Self {
        Self { group: row_id >> 16 }
    }
}
