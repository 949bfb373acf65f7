//! Why an edition file, or a row, is unusable.

use std::io;

use thiserror::Error;

/// Why a file is not a usable edition.
#[derive(Debug, Error)]
pub enum EditionError {
    /// The system cannot open, map or read it.
    #[error("the edition file cannot be read")]
    Io(#[from] io::Error),
    /// Its first bytes are not an edition's.
    #[error("this is not an edition file")]
    NotAnEdition,
    /// It has another format.
    #[error("the edition has format {found}, this version reads format {readable}; import the file again")]
    Version {
        /// The file's format.
        found: u32,
        /// The format that this version reads.
        readable: u32,
    },
    /// The header contradicts itself.
    #[error("the edition's header is damaged: {0}")]
    Header(&'static str),
    /// The file's length differs from the length in its header.
    #[error("the edition file has {found} bytes, its header says {declared}")]
    Length {
        /// Bytes the header declares.
        declared: u64,
        /// Bytes the file has.
        found: u64,
    },
    /// A required section is missing or has another version.
    #[error("the edition lacks a readable section {section}")]
    MissingSection {
        /// The section's name.
        section: String,
    },
    /// A section fails its checksum.
    #[error("section {section} of the edition is damaged")]
    Checksum {
        /// The section's name.
        section: String,
    },
    /// A section's content is not valid, although its checksum matches.
    #[error("section {section} of the edition is not readable")]
    Content {
        /// The section's name.
        section: String,
    },
    /// Its dictionary would take too much memory.
    #[error("the edition would need more memory than 1.3 times its file size")]
    Memory,
    /// It is an edition of another dataset.
    #[error("this is an edition of {found:?}, not of {wanted}")]
    OtherDataset {
        /// The dataset that the file names.
        found: String,
        /// The dataset wanted.
        wanted: &'static str,
    },
    /// A field has another kind than this version reads.
    #[error("the edition stores the field {field:?} as {found:?}, this version reads {readable}; import it again")]
    Field {
        /// The field's name.
        field: String,
        /// The kind in the file.
        found: String,
        /// The kind that this version reads.
        readable: &'static str,
    },
    /// A row is not found by its RUC.
    #[error("row {ordinal} of the edition cannot be read back")]
    Row {
        /// The row's number, from 0.
        ordinal: u64,
    },
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
